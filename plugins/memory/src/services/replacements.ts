import type { Query, Sql } from '@service-mcp/core';
import { analyse } from '@service-mcp/plugin-search/contract';
import type { KnowledgeNode } from '../nodes.js';
import { isInForce } from '../standing.js';
import type { Contradiction } from './duplicates.js';
import { leftTerms } from './left-terms.js';
import type { RecordText, Row, Scored } from './ranked-row.js';
import { validityOf } from './ranking.js';
import { headsOf, rowsOf } from './record-rows.js';
import { firstSentence } from './sentences.js';
import { MONTHS, WEEKDAYS } from './time-languages.js';
import { validAt } from './validity.js';

/** Decisions among the best that are looked at, the characters that say what one is about, and the later ones that leave a word of theirs. */
const MAX_DECISIONS = 50;
const MAX_SUBJECT = 300;
const MAX_LATER = 200;
const MAX_NAMED = 10;
/** Decisions with a word that a new one leaves, most of which may only mention it. */
const MAX_MENTIONING = 500;
/** The newest decisions, which may have it in another form: with an accent, or in the plural. */
const MAX_NEWEST = 200;
/** Where more of them are about a word (`API`), a decision that leaves it means few: it has to share another one. */
const MAX_ABOUT = 3;
/** From a decision to the one that holds by now. */
const MAX_STEPS = 5;
/** What an earlier decision has at most of the score of the later one. */
const BELOW_LATER = 0.9;
/** Many decisions have such a word, and have to share another one. */
const OF_WEEK = new Set(analyse(WEEKDAYS.join(' ')));
const OF_TIME = new Set([...OF_WEEK, ...analyse(MONTHS.join(' '))]);

interface Reads {
  readonly now: Date;
  /** Records that may be results, by id. */
  readonly rowsOf: (ids: string[]) => Promise<Map<string, Row>>;
}

const decides = (row: Row, now: Date) =>
  row.type === 'decision' && isInForce({ status: row.status, validity: validityOf(row, now) });

/**
 * The later decision, by the id of an earlier one among the best, that says that it leaves what the earlier one is about:
 * `moved from Postgres to MySQL` after `we use Postgres`. Both are in force; nobody superseded the earlier one, or it is an
 * event, which cannot be.
 */
export async function replacementsOf(
  sql: Sql,
  workspace_id: string,
  best: Iterable<Row>,
  reads: Reads,
): Promise<Map<string, Row>> {
  const replaced = new Map<string, Row>();
  const seen = new Set<string>();
  let earlier = [...best].filter((row) => decides(row, reads.now)).slice(0, MAX_DECISIONS);
  for (let step = 0; step < MAX_STEPS && earlier.length > 0; step++) {
    for (const { id } of earlier) seen.add(id);
    const found = await laterOnes(sql, workspace_id, earlier, reads);
    for (const [id, by] of found) replaced.set(id, by);
    earlier = [...new Set(found.values())].filter(({ id }) => !seen.has(id));
  }
  return replaced;
}

/** The same of any records of a workspace, by their ids. */
export async function replacementsById(
  sql: Sql,
  workspace_id: string,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Row>> {
  const read = (of: readonly string[]) => rowsOf(sql, of, workspace_id);
  return replacementsOf(sql, workspace_id, (await read(ids)).values(), { now, rowsOf: read });
}

async function laterOnes(
  sql: Sql,
  workspace_id: string,
  earlier: readonly Row[],
  { now, rowsOf }: Reads,
): Promise<Map<string, Row>> {
  const replaced = new Map<string, Row>();
  const texts = await headsOf(sql, earlier);
  const subjects = new Map([...texts].map(([id, text]) => [id, subjectOf(text)]));
  const leaving = await leavingOf(
    sql,
    workspace_id,
    new Set([...subjects.values()].flatMap((all) => [...all])),
  );
  const rows = await rowsOf([...leaving.keys()]);
  const later = [...rows.values()].filter((row) => decides(row, now) && row.at <= now.toISOString());
  const laterTexts = await headsOf(sql, later);
  const about = new Map<string, number>();
  for (const word of [...subjects.values()].flatMap((all) => [...all]))
    about.set(word, (about.get(word) ?? 0) + 1);
  const wordsOfLater = new Map<string, readonly string[]>();
  const wordsOf = ({ id }: Row) => {
    const { title = '', content = '' } = laterTexts.get(id) ?? {};
    const words = wordsOfLater.get(id) ?? analyse(`${title}\n${content}`);
    wordsOfLater.set(id, words);
    return words;
  };
  /** Whether a decision says that it leaves what another one is about. */
  const leaves = (by: Row, subject: ReadonlySet<string>) => {
    const terms = (leaving.get(by.id) ?? []).filter((term) => subject.has(term));
    if (terms.some((term) => !OF_TIME.has(term) && (about.get(term) ?? 0) <= MAX_ABOUT)) return true;
    const isShared = (word: string) => subject.has(word) && !terms.includes(word) && !OF_TIME.has(word);
    return terms.length > 0 && wordsOf(by).some(isShared);
  };
  const dayless = new Map([...texts].map(([id, { title }]) => [id, withoutDay(title)]));
  const isOnOtherDay = (by: Row, row: Row) =>
    dayless.get(row.id) !== undefined && dayless.get(by.id) === dayless.get(row.id);
  for (const row of earlier) {
    const subject = subjects.get(row.id) ?? new Set();
    for (const by of new Set([...later, ...earlier])) {
      const known = replaced.get(row.id);
      if (by.at <= row.at || (known && known.at >= by.at) || !mayConcern(by, row)) continue;
      if (isOnOtherDay(by, row) || leaves(by, subject)) replaced.set(row.id, by);
    }
  }
  return replaced;
}

/** The words that later decisions leave, of these, by the ids of the decisions. */
async function leavingOf(
  sql: Sql,
  workspace_id: string,
  words: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const rows = (await sql('memory_left_terms')
    .where({ workspace_id })
    .whereIn('term', [...words])
    .orderBy('record_id', 'desc')
    .limit(MAX_LATER)
    .select('record_id', 'term')) as Array<{ record_id: string; term: string }>;
  const leaving = new Map<string, string[]>();
  for (const { record_id, term } of rows) leaving.set(record_id, [...(leaving.get(record_id) ?? []), term]);
  return leaving;
}

/** A title without the day of the week that it names, where it says more: `Ship on Thursdays` and `Ship on Tuesdays` differ in it. */
function withoutDay(title: string): string | undefined {
  const words = analyse(title);
  const others = words.filter((word) => !OF_WEEK.has(word));
  return others.length > 0 && others.length < words.length ? others.join(' ') : undefined;
}

/**
 * Up to ten decision nodes in force that are about what a newer decision says that it leaves: those first whose titles have a
 * word of that, then the newest.
 */
export async function nodesLeftBy(
  sql: Sql,
  { workspace_id, project_id, valid_from, ...text }: RecordText & Pick<KnowledgeNode, Placed>,
): Promise<Contradiction[]> {
  const terms = leftTerms(text).filter((term) => !OF_TIME.has(term));
  if (terms.length === 0) return [];
  const head = sql.raw('substr(content, 1, ?)', [MAX_SUBJECT]);
  const inForce = () => {
    const nodes = sql('memory_nodes')
      .where({ workspace_id, deleted: 0, node_type: 'decision' })
      .whereIn('status', ['active', 'verified']);
    if (project_id !== null) void nodes.where((own) => own.where({ project_id }).orWhereNull('project_id'));
    return validAt(nodes, valid_from);
  };
  const read = (nodes: Query) =>
    nodes
      .orderBy('valid_from', 'desc')
      .select('id', 'title', 'valid_from', sql.raw('? AS content', [head])) as Promise<Decided[]>;
  const titled = terms.map(() => 'lower(title) LIKE ?').join(' OR ');
  const mentioning = inForce()
    .where((named) => {
      for (const term of terms) void named.orWhereRaw(`lower(title || ' ' || ?) LIKE ?`, [head, `%${term}%`]);
    })
    .orderByRaw(
      `CASE WHEN ${titled} THEN 0 ELSE 1 END`,
      terms.map((term) => `%${term}%`),
    );
  const rows = [
    ...(await read(mentioning.limit(MAX_MENTIONING))),
    ...(await read(inForce().limit(MAX_NEWEST))),
  ];
  const has = (words: ReadonlySet<string>) => terms.some((term) => words.has(term));
  const isTitled = ({ title }: Decided) => has(new Set(analyse(title)));
  const left = [...new Map(rows.map((row) => [row.id, row])).values()]
    .filter((row) => has(subjectOf(row)))
    .sort((a, b) => Number(isTitled(b)) - Number(isTitled(a)) || b.valid_from.localeCompare(a.valid_from));
  return left.slice(0, MAX_NAMED).map(({ id, title }) => ({ id, title }));
}
type Decided = RecordText & Contradiction & Pick<KnowledgeNode, 'valid_from'>;
type Placed = 'workspace_id' | 'project_id' | 'valid_from';

/** Decisions of two projects do not replace each other. */
const mayConcern = (a: Row, b: Row) =>
  a.project_id === null || b.project_id === null || a.project_id === b.project_id;

/** The words of what a decision is about, without what it leaves itself. */
function subjectOf(text: RecordText): ReadonlySet<string> {
  const content = firstSentence(text.content, MAX_SUBJECT);
  const left = new Set(leftTerms({ title: text.title, content }));
  const words = analyse(`${text.title}\n${content}`);
  return new Set(words.filter((word) => !left.has(word)));
}

/** Lets a later decision be found by what finds the earlier one, and before it. Its row is added. */
export function raiseLater(
  replaced: ReadonlyMap<string, Row>,
  scores: Map<string, Scored>,
  rows: Map<string, Row>,
): void {
  const all = new Map([...rows, ...[...replaced.values()].map((by): [string, Row] => [by.id, by])]);
  const time = ([id]: readonly [string, Row]) => all.get(id)?.at ?? '';
  const ordered = [...replaced].sort((a, b) => (time(a) < time(b) ? -1 : 1));
  for (const [id, by] of ordered) {
    const from = scores.get(id);
    if (!from) continue;
    if (!rows.has(by.id)) rows.set(by.id, by);
    if (from.score > (scores.get(by.id)?.score ?? 0)) scores.set(by.id, from);
  }
  for (const [id, by] of ordered.reverse()) {
    const [own, later] = [scores.get(id), scores.get(by.id)];
    if (own && later) scores.set(id, { ...own, score: Math.min(own.score, later.score * BELOW_LATER) });
  }
}
