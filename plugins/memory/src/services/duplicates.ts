import type { Query, RecordChange, Sql } from '@service-mcp/core';
import type { MemoryEvent } from '../events.js';
import type { KnowledgeNode } from '../nodes.js';
import { insertRows } from './insert-rows.js';
import type { Kind } from './kinds.js';
import {
  differInFact,
  exactBandOf,
  gistBandsOf,
  holdsWordsOf,
  isParaphrase,
  PARAPHRASE,
  sayTheSame,
  shareContent,
  shingleBandsOf,
  shinglesOf,
  similarity,
} from './similarity.js';
import { overlap } from './validity.js';

/** Nodes as similar as this, or of one title and subject, that differ in a number or a negation contradict each other. */
const RESEMBLING = 0.5;
/** The nearest records of a band that are looked at, and those of all bands that are compared: half of them on each side. */
const MAX_A_BAND = 100;
const MAX_COMPARED = 50;
/** More than all bands of a similar record: exact copies are compared first. */
const EXACT = 100;
/** Characters of these, before the last one: long records are compared with few. */
const MAX_COMPARED_LENGTH = 300_000;
const MAX_DUPLICATES = 10;
/** The pairs of each kind that a record names on each side. */
const MAX_A_SIDE = 5;

interface Text {
  readonly id: string;
  readonly workspace_id: string;
  readonly title: string;
  readonly content: string;
}
type ProjectText = Omit<Text, 'id'> & { readonly project_id: string | null; readonly node_type?: string };

/** A record to compare with others: each kind has a type of its own, only events a session, and only nodes a status and a validity. */
export type Compared = ProjectText & { readonly id: string } & Partial<Held>;
type Held = Pick<MemoryEvent, 'event_type' | 'session_id'> &
  Pick<KnowledgeNode, 'node_type' | 'status' | 'valid_from' | 'valid_to'>;
const COMPARED_TEXT = ['id', 'workspace_id', 'project_id', 'title', 'content'];
/** Its columns. */
export const COMPARED = {
  event: [...COMPARED_TEXT, 'event_type', 'session_id'],
  node: [...COMPARED_TEXT, 'node_type', 'status', 'valid_from', 'valid_to'],
};

export interface Duplicate {
  readonly id: string;
  readonly similarity: number;
}

/** Brings the bands of a record in line with its text, in the transaction of its change. It is to be checked again. */
export async function followBands(sql: Sql, record: Text, change: RecordChange): Promise<void> {
  if (change !== 'created') await sql('memory_bands').where({ record_id: record.id }).delete();
  await (change === 'removed' ? markUnchecked(sql, [record]) : addBands(sql, [record]));
}

/** The bands of new records, which are to be checked. */
export async function addBands(sql: Sql, records: readonly Text[]): Promise<void> {
  await insertBands(sql, records, (text) => [
    ...shingleBandsOf(text),
    exactBandOf(text),
    ...gistBandsOf(text),
  ]);
}

/** The bands of exact copies of records that have the others, and are to be checked again. */
export function addExactBands(sql: Sql, records: readonly Text[]): Promise<void> {
  return insertBands(sql, records, (text) => [exactBandOf(text)]);
}

/** The bands of gists of records that have the others, and are to be checked again. */
export function addGistBands(sql: Sql, records: readonly Text[]): Promise<void> {
  return insertBands(sql, records, gistBandsOf);
}

async function insertBands(
  sql: Sql,
  records: readonly Text[],
  bands: (text: Text) => readonly number[],
): Promise<void> {
  const rows = records.flatMap((text) =>
    [...new Set(bands(text))].map((band) => ({ record_id: text.id, workspace_id: text.workspace_id, band })),
  );
  await insertRows(sql, 'memory_bands', rows);
  await markUnchecked(sql, records);
}

/**
 * Has living records checked again. An upsert, since it locks a mark that is there: a check at this moment leaves it to a
 * later one.
 */
export async function markUnchecked(
  sql: Sql,
  records: ReadonlyArray<Pick<Text, 'id' | 'workspace_id'>>,
): Promise<void> {
  const marks = records.map(({ id: record_id, workspace_id }) => ({ record_id, workspace_id }));
  await insertRows(sql, 'memory_unchecked', marks, 'record_id');
}

/** Where others are looked for, from a record outwards: among the older ones, or, of a stored one, the newer. */
interface Side {
  readonly order: 'desc' | 'asc';
  /** The stored record. */
  readonly id?: string;
}

function onSide(records: Query, column: string, { order, id }: Side): Query {
  if (id !== undefined) void records.where(column, order === 'desc' ? '<' : '>', id);
  return records.orderBy(column, order).limit(ofSide(MAX_A_BAND, id));
}

/** A new text has one side. */
const ofSide = (limit: number, id: string | undefined) => (id === undefined ? limit : limit / 2);

/**
 * The living records of a project (null: outside projects) on one side of a text that share most bands with it, exact copies
 * first, and how similar they are, the most similar first and of these the nearest. Also the nodes of its type and title that
 * share more than these: short texts that differ in a number share few bands.
 */
async function similarRecords(
  sql: Sql,
  kind: Kind,
  text: ProjectText,
  side: Side,
  narrow: (records: Query) => unknown = () => undefined,
) {
  const { workspace_id, project_id } = text;
  const sharing = (band: number, weight: number) => {
    const nearest = onSide(sql('memory_bands').where({ workspace_id, band }), 'record_id', side);
    return weighted(sql, nearest.select('record_id'), weight);
  };
  const bands = [
    sharing(exactBandOf(text), EXACT),
    ...[...shingleBandsOf(text), ...gistBandsOf(text)].map((band) => sharing(band, 1)),
  ];
  if (kind === 'node') bands.push(titled(sql, text, side));
  const alike = sql(sql.unionAll(bands).as('bands')).groupBy('record_id').select('record_id');
  const records = sql({ records: `memory_${kind}s` })
    .join(alike.sum({ shared: 'weight' }).as('alike'), 'alike.record_id', 'records.id')
    .where({ project_id, deleted: 0 });
  narrow(records);
  if (kind === 'node') void records.whereNot({ status: 'superseded' });
  const rows = (await records
    .orderBy('shared', 'desc')
    .orderBy('id', side.order)
    .limit(ofSide(MAX_COMPARED, side.id))
    .select(COMPARED[kind])) as Compared[];
  return withinLength(rows)
    .flatMap((row) => {
      const found = resemblance(kind, text, row);
      return found ? [{ ...found, row, id: row.id }] : [];
    })
    .sort((a, b) => b.similarity - a.similarity);
}

/** What two records have in common, the same in both directions; none where that is little. */
function resemblance(kind: Kind, one: ProjectText, other: ProjectText) {
  const inWords = rounded(similarity(shinglesOf(one), shinglesOf(other)));
  const alike = inWords < PARAPHRASE && isParaphrase(one, other) ? PARAPHRASE : inWords;
  if (alike < RESEMBLING && !(kind === 'node' && isOfOneSubject(one, other))) return undefined;
  const isSame = sayTheSame(one, other, alike);
  return {
    similarity: alike,
    differs: differInFact(one, other),
    isSame,
    isCopy: isSame && alike === inWords,
  };
}

function titled(sql: Sql, { workspace_id, title }: ProjectText, side: Side): Query {
  const nodes = sql('memory_nodes')
    .where({ workspace_id, deleted: 0 })
    .whereRaw('lower(title) = lower(?)', [title]);
  return weighted(sql, onSide(nodes, 'id', side).select('id as record_id'), 1);
}

function weighted(sql: Sql, nearest: Query, weight: number): Query {
  return sql(nearest.as('nearest')).select('record_id', sql.raw(`${weight} AS weight`));
}

/** Nodes of one type and title: a generic one (`Release`) says little, so that they need more in common. */
const isOfOneSubject = (one: ProjectText, other: ProjectText) =>
  one.node_type === other.node_type &&
  one.title.toLowerCase() === other.title.toLowerCase() &&
  shareContent(one, other);

function withinLength(rows: readonly Compared[]): Compared[] {
  let length = 0;
  return rows.filter((row) => (length += row.content.length) - row.content.length <= MAX_COMPARED_LENGTH);
}

/** A node that holds at one time with a text, resembles it, or has its title, and differs in a number or a negation. */
export interface Contradiction {
  readonly id: string;
  readonly title: string;
}

/**
 * The records of its type that say the same as a text, the most similar first; nodes only that hold at its `valid_from` or
 * later. `holder`: the first in nearly its words that has all of them, in their order, holds from `since` or before until the same time, as
 * verified or disputed, and is of its session: nothing of it is lost there. In others a word more or another one may be
 * what matters (staging, production). `contradictions`: of nodes.
 */
export async function duplicatesOf(
  sql: Sql,
  kind: Kind,
  { event_type, ...text }: ProjectText & Partial<Held>,
  since: string,
): Promise<{
  readonly duplicates: Duplicate[];
  readonly holder: Duplicate | undefined;
  readonly contradictions: Contradiction[];
}> {
  const { valid_from } = text;
  const similar = await similarRecords(sql, kind, text, { order: 'desc' }, (records) => {
    if (event_type !== undefined) void records.where({ event_type });
    if (text.node_type !== undefined) void records.where({ node_type: text.node_type });
    if (valid_from !== undefined)
      void records.where((open) => open.whereNull('valid_to').orWhere('valid_to', '>', valid_from));
  });
  similar.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1)); // the first copy is the original
  const same = similar.filter(({ isSame }) => isSame);
  const duplicateOf = ({ id, similarity: value }: Duplicate): Duplicate => ({ id, similarity: value });
  const holder = same.find(
    ({ isCopy, row }) => isCopy && holdsWordsOf(row, text) && holdsAs(row, text, since),
  );
  const differing =
    kind === 'node' ? similar.filter(({ differs, row }) => differs && overlap(row, text)) : [];
  return {
    duplicates: same.slice(0, MAX_DUPLICATES).map(duplicateOf),
    holder: holder && duplicateOf(holder),
    contradictions: differing.slice(0, MAX_DUPLICATES).map(({ row: { id, title } }) => ({ id, title })),
  };
}

/** Whether a record holds all the time that a text does, no less surely, and is of its session. A status is `active` by default. */
function holdsAs(row: Partial<Held>, text: Partial<Held>, since: string): boolean {
  const isAsSure = row.status === text.status || (row.status === 'verified' && text.status === 'active');
  const isOfSession = (text.session_id ?? null) === null || row.session_id === text.session_id;
  return isAsSure && isOfSession && row.valid_to === text.valid_to && (row.valid_from ?? since) <= since;
}

/**
 * The ids of records that a record repeats, and of nodes that a node contradicts: up to five of each on both sides. Of many
 * copies each names its neighbours, so that none has to be compared with all others. Records repeat those of one type, nodes
 * those that are valid at one time.
 */
export async function compare(
  sql: Sql,
  kind: Kind,
  record: Compared,
): Promise<{ duplicates: string[]; contradictions: string[] }> {
  const { id } = record;
  const sides = [
    await similarRecords(sql, kind, record, { order: 'desc', id }),
    await similarRecords(sql, kind, record, { order: 'asc', id }),
  ];
  type Similar = (typeof sides)[number][number];
  const idsOf = (isOne: (other: Similar) => boolean) =>
    sides.flatMap((others) =>
      others
        .filter(isOne)
        .slice(0, MAX_A_SIDE)
        .map((other) => other.id),
    );
  return {
    duplicates: idsOf(({ isSame, row }) => isSame && canRepeat(row, record)),
    contradictions: kind === 'node' ? idsOf(({ differs, row }) => differs && overlap(row, record)) : [],
  };
}

/** Whether a pair that {@link compare} found once would be one today, whatever resembles these records more. */
export function isPair(
  kind: Kind,
  finding: 'duplicate' | 'contradiction',
  one: Compared,
  other: Compared,
): boolean {
  const found = one.project_id === other.project_id && resemblance(kind, one, other);
  if (!found) return false;
  return finding === 'duplicate'
    ? found.isSame && canRepeat(one, other)
    : found.differs && overlap(one, other);
}

function canRepeat(one: Partial<Held>, other: Partial<Held>): boolean {
  const isOneType = one.event_type === other.event_type && one.node_type === other.node_type;
  return isOneType && overlap(one, other);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
