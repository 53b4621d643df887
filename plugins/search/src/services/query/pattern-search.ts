import type { DocumentKind, IndexSource } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { among, literal, rowFilter, rowsById } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { isTimeout } from '../index/lance.js';
import type { ChunkRow, DocumentRow } from '../index/tables.js';
import { currentStates } from './current-states.js';
import { countFacets, type FacetRow } from './facets.js';
import type { Matcher } from './matcher.js';
import { compilePattern } from './regex.js';
import { resultOf } from './result.js';
import type { Found, Settings } from './settings.js';

export interface PatternParts {
  readonly sources: readonly IndexSource[];
  readonly matcher: Matcher;
  /** For the whole search; results found by then are the answer. */
  readonly timeoutMs: number;
}

/** Documents read at once, at first and at most, and the code units of text after which a batch stops growing. */
const INITIAL_BATCH = 32;
const LARGEST_BATCH = 512;
const ENOUGH_TEXT = 4 * 1024 * 1024;
/** Time for counting on after the page is full. */
const COUNT_ON_MS = 200;

interface Selected {
  readonly doc_id: string;
  readonly path: string;
  readonly kind: DocumentKind;
}

/** A result, and where its first match begins in its document. */
interface Match {
  readonly result: SearchResult;
  readonly doc_id: string;
  readonly at: number;
}

/**
 * Regular-expression search over whole documents, in order of path and line. `total` counts results, but with
 * `output_format: count` every match, as `grep --count-matches` would. Throws INVALID_ARGUMENT.
 */
export async function patternSearch(
  settings: Settings,
  tables: IndexTables,
  parts: PatternParts,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { limit, offset, output_format, facets = [] } = settings;
  const withFacets = facets.length > 0;
  const pattern = compilePattern(settings);
  const started = Date.now();
  const deadline = started + parts.timeoutMs;
  const where = rowFilter(settings, tables.scope);
  const { selected, complete } = await selectDocuments(tables, where, pattern.selector, deadline, signal);
  const found: Match[] = [];
  const facetRows: FacetRow[] = [];
  let total = 0;
  let seen = 0;
  let cut = false;
  let size = INITIAL_BATCH;
  for (let at = 0; at < selected.length; at = seen) {
    signal?.throwIfAborted();
    const now = Date.now();
    const full = total > offset + limit && output_format !== 'count' && !withFacets;
    if (now > deadline || (full && now > started + COUNT_ON_MS)) break;
    const batch = selected.slice(at, at + size);
    const states = await currentStates(parts.sources, batch);
    const ids = batch.flatMap(({ doc_id }) => (states.has(doc_id) ? [doc_id] : []));
    const timeoutMs = Math.max(1000, deadline - Date.now());
    const texts = await rowsById<DocumentRow>(tables.documents, ids, DOCUMENT_COLUMNS, timeoutMs);
    size = nextSize(size, texts.values());
    for (const { doc_id } of batch) {
      if (Date.now() > deadline) break;
      await yieldToOtherCalls();
      seen++;
      const row = texts.get(doc_id);
      const state = states.get(doc_id);
      if (!row || !state) continue;
      const take = limit - found.length;
      const skip = Math.max(0, offset - total);
      const matched = await parts.matcher.match(
        { text: row.text, settings, skip, take, deadline },
        pattern,
        signal,
      );
      if (!matched?.whole) cut = true;
      if (!matched) continue;
      for (const region of matched.regions) {
        const at = region.start + (region.spans[0]?.start ?? 0);
        const own = { id: `${doc_id}:${at}`, kind: row.kind, score: 1, scores: {} };
        found.push({ result: resultOf(row, state, region, region.spans, settings, own), doc_id, at });
      }
      total += matched.total;
      if (withFacets && matched.total > 0) facetRows.push({ ...row, count: matched.total });
    }
  }
  const timedOut = !complete || cut || (seen < selected.length && Date.now() > deadline);
  return {
    results: await withSymbols(found, tables),
    total,
    total_is_lower_bound: !complete || cut || seen < selected.length,
    ...(withFacets && { facets: countFacets(facets, facetRows) }),
    warnings: timedOut
      ? [
          'The search ran out of time and its results are incomplete: narrow it by filters.path_prefix or filters.languages.',
        ]
      : [],
  };
}

/** The documents in which the pattern occurs, in order of path; `complete` is false if time ran out. */
async function selectDocuments(
  tables: IndexTables,
  where: string,
  selector: string,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<{ selected: Selected[]; complete: boolean }> {
  const select = (condition: string) =>
    tables.documents
      .query()
      .where(condition)
      .select(['id', 'path', 'kind'])
      .toArray({ timeoutMs: Math.max(1, deadline - Date.now()) });
  let rows: { id: string; path: string; kind: DocumentKind }[];
  try {
    rows = await select(`${where} AND regexp_like(text, ${literal(selector)})`);
  } catch (error) {
    if (isTimeout(error)) return { selected: [], complete: false };
    // LanceDB's engine rejects some rare expressions: then every document is read.
    if (!/regex/iu.test(String(error))) throw error;
    rows = await select(where);
  }
  signal?.throwIfAborted();
  const selected = [...new Map(rows.map(({ id, path, kind }) => [id, { doc_id: id, path, kind }])).values()];
  selected.sort((a, b) => compare(a.path, b.path) || compare(a.doc_id, b.doc_id));
  return { selected, complete: true };
}

const DOCUMENT_COLUMNS = ['id', 'project_id', 'kind', 'path', 'lang', 'title', 'sha256', 'text'] as const;

function nextSize(size: number, rows: Iterable<DocumentRow>): number {
  let text = 0;
  for (const row of rows) text += row.text.length;
  return text > ENOUGH_TEXT ? Math.max(1, size >> 1) : Math.min(LARGEST_BATCH, size * 2);
}

/** Matching small texts runs on this thread. */
function yieldToOtherCalls(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Adds the symbol and title of the chunk that each first match lies in. */
async function withSymbols(found: readonly Match[], tables: IndexTables): Promise<SearchResult[]> {
  if (found.length === 0) return [];
  const ids = new Set(found.map(({ doc_id }) => doc_id));
  const chunks: Pick<ChunkRow, 'doc_id' | 'start' | 'end' | 'symbol' | 'title'>[] = await tables.chunks
    .query()
    .where(among('doc_id', ids))
    .select(['doc_id', 'start', 'end', 'symbol', 'title'])
    .toArray();
  return found.map(({ result, doc_id, at }) => {
    const own = chunks.find((chunk) => chunk.doc_id === doc_id && chunk.start <= at && at < chunk.end);
    if (!own) return result;
    return { ...result, title: own.title, ...(own.symbol !== '' && { symbol: own.symbol }) };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
