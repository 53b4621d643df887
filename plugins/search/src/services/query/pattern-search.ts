import type { DocumentKind, IndexSource, SearchResult } from '../../contract.js';
import { among, literal, rowFilter, rowsById } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { isTimeout } from '../index/lance.js';
import type { DocumentRow } from '../index/tables.js';
import { currentStates } from './current-states.js';
import { excerptOf } from './excerpt.js';
import type { Matcher } from './matcher.js';
import { compilePattern } from './regex.js';
import type { Region } from './regions.js';
import type { Found, Settings } from './settings.js';

export interface PatternParts {
  readonly sources: readonly IndexSource[];
  readonly matcher: Matcher;
  /** For the whole search; results found by then are the answer. */
  readonly timeoutMs: number;
}

/** Documents read at once, at first and at most, and the code units of text after which a batch stops growing. */
const FIRST_BATCH = 32;
const LARGEST_BATCH = 512;
const ENOUGH_TEXT = 4 * 1024 * 1024;
/** Time for counting on after the page is full. */
const COUNT_ON_MS = 200;

interface Selected {
  readonly documentId: string;
  readonly path: string;
  readonly kind: DocumentKind;
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
): Promise<Found<SearchResult>> {
  const { request, limit, offset, outputFormat } = settings;
  const pattern = compilePattern(request);
  const { query, caseSensitive = true, multiline = false, wholeWord = false } = request;
  const ask = { query, caseSensitive, multiline, wholeWord };
  const started = Date.now();
  const deadline = started + parts.timeoutMs;
  const { selected, complete } = await selectDocuments(
    tables,
    rowFilter(request, settings.kinds),
    pattern.selector,
    deadline,
    signal,
  );
  const found: SearchResult[] = [];
  let total = 0;
  let seen = 0;
  let cut = false;
  let size = FIRST_BATCH;
  for (let at = 0; at < selected.length; at = seen) {
    signal?.throwIfAborted();
    const now = Date.now();
    const full = total > offset + limit && outputFormat !== 'count';
    if (now > deadline || (full && now > started + COUNT_ON_MS)) break;
    const batch = selected.slice(at, at + size);
    const states = await currentStates(parts.sources, batch);
    const texts = await documentsOf(
      tables,
      batch.filter(({ documentId }) => states.has(documentId)),
      deadline,
    );
    size = nextSize(size, texts.values());
    for (const { documentId } of batch) {
      if (Date.now() > deadline) break;
      await yieldToOtherCalls();
      seen++;
      const row = texts.get(documentId);
      const state = states.get(documentId);
      if (!row || !state) continue;
      const matched = await parts.matcher.match(
        {
          text: row.text,
          pattern: ask,
          maxChars: settings.contentMaxChars,
          contextLines: settings.contextLines,
          outputFormat,
          skip: Math.max(0, offset - total),
          take: limit - found.length,
          deadline,
        },
        pattern,
        signal,
      );
      if (!matched?.whole) cut = true;
      if (!matched) continue;
      for (const region of matched.regions)
        found.push(describe(row, region, settings, state.updatedAt, state.sha256 !== row.sha256));
      total += matched.total;
    }
  }
  const timedOut = !complete || cut || (seen < selected.length && Date.now() > deadline);
  return {
    results: await withSymbols(found, tables),
    total,
    totalIsLowerBound: !complete || cut || seen < selected.length,
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
  const selected = new Map(rows.map(({ id, path, kind }) => [id, { documentId: id, path, kind }]));
  return {
    selected: [...selected.values()].sort(
      (a, b) => compare(a.path, b.path) || compare(a.documentId, b.documentId),
    ),
    complete: true,
  };
}

const DOCUMENT_COLUMNS = ['id', 'project_id', 'kind', 'path', 'lang', 'title', 'sha256', 'text'] as const;

function documentsOf(tables: IndexTables, batch: readonly Selected[], deadline: number) {
  const ids = batch.map(({ documentId }) => documentId);
  const timeoutMs = Math.max(1000, deadline - Date.now());
  return rowsById<DocumentRow>(tables.documents, ids, DOCUMENT_COLUMNS, timeoutMs);
}

function describe(
  row: DocumentRow,
  region: Region,
  settings: Settings,
  updatedAt: string,
  stale: boolean,
): SearchResult {
  const shown =
    settings.outputFormat === 'full'
      ? excerptOf(region, region.spans, settings.contentMaxChars)
      : { content: '', truncated: false, highlights: [] };
  return {
    id: `${row.id}:${String(region.start + (region.spans[0]?.start ?? 0))}`,
    documentId: row.id,
    kind: row.kind,
    projectId: row.project_id || null,
    path: row.path,
    language: row.lang || null,
    startLine: region.line,
    endLine: region.endLine,
    title: row.title,
    ...shown,
    score: 1,
    scores: {},
    updatedAt,
    stale,
  };
}

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
async function withSymbols(results: readonly SearchResult[], tables: IndexTables): Promise<SearchResult[]> {
  if (results.length === 0) return [];
  const ids = new Set(results.map(({ documentId }) => documentId));
  const chunks: { doc_id: string; start: number; end: number; symbol: string; title: string }[] =
    await tables.chunks
      .query()
      .where(among('doc_id', ids))
      .select(['doc_id', 'start', 'end', 'symbol', 'title'])
      .toArray();
  return results.map((result) => {
    const at = Number(result.id.slice(result.documentId.length + 1));
    const own = chunks.find(
      ({ doc_id, start, end }) => doc_id === result.documentId && start <= at && at < end,
    );
    if (!own) return result;
    return { ...result, title: own.title, ...(own.symbol !== '' && { symbol: own.symbol }) };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
