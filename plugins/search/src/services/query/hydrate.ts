import type { DocumentState } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { eachTerm, type QueryTerms } from '../analysis/analyse.js';
import { LineMap } from '../chunking/line-map.js';
import { rowsById } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import { PAGE_COLUMNS, type DocumentRow, type PageRow } from '../index/tables.js';
import type { Span } from './matches.js';
import { resultOf, type Stretch } from './result.js';
import type { Candidate } from './retrievers.js';
import type { Settings } from './settings.js';

/** Results for a page of ranked chunks, with texts and highlights. Skips chunks that were replaced meanwhile. */
export async function hydrate(
  page: readonly Candidate[],
  query: QueryTerms,
  states: ReadonlyMap<string, DocumentState>,
  settings: Settings,
  tables: IndexTables,
  timeoutMs: number,
): Promise<SearchResult[]> {
  const missing = page.filter(({ row }) => !row).map(({ id }) => id);
  const byId =
    missing.length > 0
      ? await rowsById<PageRow>(tables.chunks, missing, PAGE_COLUMNS, timeoutMs)
      : new Map<string, PageRow>();
  for (const { id, row } of page) if (row) byId.set(id, row);
  const texts =
    settings.context_lines > 0
      ? await documentTexts([...byId.values()], tables, timeoutMs)
      : new Map<string, string>();
  return page.flatMap(({ id, doc_id, kind, score, scores }) => {
    const row = byId.get(id);
    const state = states.get(doc_id);
    if (!row || !state) return [];
    const stretch = around(row, texts.get(doc_id), settings.context_lines);
    const spans = settings.output_format === 'full' ? termSpans(stretch.text, query) : [];
    return [resultOf(row, state, stretch, spans, settings, { id, kind, score, scores, symbol: row.symbol })];
  });
}

async function documentTexts(rows: readonly PageRow[], tables: IndexTables, timeoutMs: number) {
  const ids = new Set(rows.map(({ doc_id }) => doc_id));
  const documents = await rowsById<DocumentRow>(tables.documents, ids, ['id', 'text'], timeoutMs);
  return new Map([...documents].map(([id, { text }]) => [id, text]));
}

/** A chunk with the lines around it, or alone if its document has changed there. */
function around(row: PageRow, document: string | undefined, more: number): Stretch {
  const alone = { text: row.text, line: row.start_line, column: row.start_column, endLine: row.end_line };
  if (document === undefined || document.slice(row.start, row.end) !== row.text) return alone;
  const lines = new LineMap(document);
  const line = Math.max(1, row.start_line - more);
  const endLine = Math.min(lines.count, row.end_line + more);
  return {
    text: document.slice(lines.startOfLine(line), lines.endOfLine(endLine)),
    line,
    column: 1,
    endLine,
  };
}

/** The spans of the query's terms in a text, in order, merged where they overlap. */
function termSpans(text: string, query: QueryTerms): Span[] {
  const wanted = new Set(query.terms);
  const spans: Span[] = [];
  eachTerm(text, (term, start, end, stopWord) => {
    if (!wanted.has(term) || stopWord !== query.onlyStopWords) return;
    const last = spans.at(-1);
    if (last && start < last.end) {
      if (end > last.end) spans[spans.length - 1] = { start: last.start, end };
    } else spans.push({ start, end });
  });
  return spans;
}
