import { eachTerm, isLoneCharacter, type QueryTerms } from '../analysis/analyse.js';
import { conjunction, filtered, literal } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { isTimeout, isTooLongToResemble, lancedb, type MatchQuery, type Table } from '../index/lance.js';

/** A term of a query that nothing holds, and what stands in for it: often nothing. */
export interface Correction {
  readonly term: string;
  /** As the query has it. */
  readonly word: string;
  /** Of an identifier that nothing holds either: nothing stands in for it. */
  readonly isPart: boolean;
  readonly similar: readonly Similar[];
}

/** A term of the index, with the word that it came from in a text. */
interface Similar {
  readonly term: string;
  readonly word: string;
}

/** Terms looked up, rows read, and terms put in for one that is missing. */
const MAX_CHECKED = 8;
const MAX_MISSING = 3;
const ROWS = 20;
const MAX_SIMILAR = 3;
/** Shorter terms have too many neighbours. */
const MIN_PREFIX = 3;
const MIN_TYPO = 5;
/** From this length on, two slips are one word still. */
const MIN_TWO_TYPOS = 8;
const MAX_EXPANSIONS = 100;
/** A prefix is looked for by a scan, 1 ms for a thousand chunks: what it finds in this time counts. */
const SCAN_TIMEOUT_MS = 60;

interface Known {
  readonly version: number;
  readonly terms: Set<string>;
}

/** Conditions and terms that were found under them in a version of an index: most words are asked for again. */
const known = new WeakMap<Table, Known>();
const MAX_KNOWN = 10_000;

async function knownTerms(chunks: Table): Promise<Set<string>> {
  const version = await chunks.version();
  const last = known.get(chunks);
  if (last?.version === version && last.terms.size <= MAX_KNOWN) return last.terms;
  const terms = new Set<string>();
  known.set(chunks, { version, terms });
  return terms;
}

const isAscii = (text: string) => Buffer.byteLength(text) === text.length;

type Row = { readonly text: string; readonly terms: string };

/**
 * The terms that no chunk holds, with those to search in their place: for the last one, terms that begin with it; else terms that
 * differ by a typing error (two in long ones). `text`: the query as it was asked. `seen`: terms that need no look-up. `where`: the filter of the request.
 * `ofKinds`: that of its kinds alone, of which a chunk has to be that holds a term: others may be hidden from the caller.
 */
export async function correctTerms(
  { chunks }: Pick<IndexTables, 'chunks'>,
  text: string,
  { terms, onlyStopWords }: QueryTerms,
  seen: ReadonlySet<string>,
  {
    where,
    ofKinds,
    timeoutMs,
  }: { readonly where: string; readonly ofKinds: string; readonly timeoutMs: number },
): Promise<Correction[]> {
  if (onlyStopWords) return [];
  /** Anywhere in the workspace, in these kinds. */
  async function isThere(term: string): Promise<boolean> {
    const match = new (lancedb().MatchQuery)(term, isLoneCharacter(term) ? 'stops' : 'terms');
    const rows = await filtered(chunks.query().fullTextSearch(match), ofKinds)
      .select(['_score'])
      .limit(1)
      .toArray({ timeoutMs });
    return rows.length > 0;
  }

  function holding(match: MatchQuery): Promise<Row[]> {
    return filtered(chunks.query().fullTextSearch(match), where)
      .select(['text', 'terms', '_score'])
      .limit(ROWS)
      .toArray({ timeoutMs });
  }

  function near(term: string, fuzziness: number): Promise<Row[]> {
    // LanceDB counts its prefix in bytes, and panics where that ends inside a character.
    const prefixLength = isAscii(term) ? 1 : 0;
    const options = { fuzziness, prefixLength, maxExpansions: MAX_EXPANSIONS };
    return holding(new (lancedb().MatchQuery)(term, 'terms', options)).catch((error: unknown) => {
      if (isTooLongToResemble(error)) return [];
      throw error;
    });
  }

  async function continued(term: string): Promise<Similar[]> {
    if (term.length < MIN_PREFIX) return [];
    const rows: Row[] = await chunks
      .query()
      .where(conjunction(where, `contains(terms, ${literal(` ${term}`)})`))
      .select(['text', 'terms'])
      .limit(ROWS)
      .toArray({ timeoutMs: SCAN_TIMEOUT_MS })
      .catch((error: unknown) => {
        if (isTimeout(error)) return [];
        throw error;
      });
    return similarIn(rows, (other) => (other.startsWith(term) ? 0 : undefined));
  }

  async function mistyped(term: string): Promise<Similar[]> {
    if (term.length < MIN_TYPO) return [];
    const most = term.length < MIN_TWO_TYPOS ? 1 : 2;
    const nearness = (other: string) => {
      if (firstOf(other) !== firstOf(term)) return undefined; // of a row that was found by another term
      const distance = editDistance(term, other);
      return distance <= most ? distance : undefined;
    };
    // An exchange of neighbours, one change here, is two of the index: these are looked for as they are.
    const exchanged = new (lancedb().MatchQuery)(exchanges(term).join(' '), 'terms');
    const one = await Promise.all([near(term, 1), holding(exchanged)]);
    const similar = similarIn(one.flat(), nearness);
    return similar.length > 0 ? similar : similarIn(await near(term, 2), nearness);
  }

  async function similarTo(term: string, isLast: boolean): Promise<Similar[]> {
    const [longer, other] = await Promise.all([isLast ? continued(term) : [], mistyped(term)]);
    return longer.length > 0 ? longer : other;
  }

  const held = await knownTerms(chunks);
  const keyOf = (term: string) => `${ofKinds} ${term}`;
  for (const term of seen) held.add(keyOf(term));
  const unseen = terms.filter((term) => !held.has(keyOf(term))).slice(0, MAX_CHECKED);
  const found = await Promise.all(unseen.map(isThere));
  unseen.forEach((term, i) => found[i] && held.add(keyOf(term)));
  const wholes = wholeTerms(text);
  const isPart = (term: string) => !wholes.has(term);
  const lastWhole = terms.findLast((term) => wholes.has(term));
  const missing = unseen
    .filter((_term, i) => !found[i])
    .sort((a, b) => Number(isPart(a)) - Number(isPart(b)))
    .slice(0, MAX_MISSING);
  return Promise.all(
    missing.map(async (term) => {
      const similar = isPart(term) ? [] : await similarTo(term, term === lastWhole);
      return { term, word: wordOf(term, text), isPart: isPart(term), similar };
    }),
  );
}

/** The terms in rows that are nearest (0 is best, undefined is out), those of most rows first. */
function similarIn(rows: readonly Row[], nearness: (term: string) => number | undefined): Similar[] {
  const found = new Map<string, { near: number; rows: number; text: string }>();
  for (const { text, terms } of rows) {
    for (const term of new Set(terms.split(' '))) {
      const known = found.get(term);
      const near = known?.near ?? nearness(term);
      if (near !== undefined)
        found.set(term, { near, rows: (known?.rows ?? 0) + 1, text: known?.text ?? text });
    }
  }
  const best = Math.min(...Array.from(found.values(), ({ near }) => near));
  return [...found]
    .filter(([, { near }]) => near === best)
    .sort(([a, x], [b, y]) => y.rows - x.rows || (a < b ? -1 : 1))
    .slice(0, MAX_SIMILAR)
    .map(([term, { text }]) => ({ term, word: wordOf(term, text) }));
}

/** The word of a text that gives a term, or the term where it comes from another field. */
function wordOf(wanted: string, text: string): string {
  let word = wanted;
  eachTerm(text, (term, start, end) => {
    if (term === wanted && word === wanted) word = text.slice(start, end);
  });
  return word;
}

/** The terms of a text that stand for more than a part of an identifier. */
function wholeTerms(text: string): Set<string> {
  const wholes = new Set<string>();
  let [from, to] = [0, 0];
  eachTerm(text, (term, start, end) => {
    if (end <= to && end - start < to - from) return;
    [from, to] = [start, end];
    wholes.add(term);
  });
  return wholes;
}

const firstOf = ([first]: string) => first;

/** A term with two neighbours exchanged, at each place. */
function exchanges(term: string): string[] {
  const characters = Array.from(term);
  return characters
    .slice(1)
    .map((next, i) => [...characters.slice(0, i), next, characters[i], ...characters.slice(i + 2)].join(''));
}

/** Characters inserted, left out, replaced or exchanged with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
