import type { DocumentState, SearchResult } from '../../contract.js';
import type { QueryTerms } from '../analysis/analyse.js';
import { LineMap } from '../chunking/line-map.js';
import { rowsById } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import type { ChunkRow, DocumentRow } from '../index/tables.js';
import { excerptOf, type Stretch } from './excerpt.js';
import { termSpans } from './highlight.js';
import type { Ranked, Settings } from './settings.js';

const COLUMNS = [
  'id',
  'doc_id',
  'project_id',
  'path',
  'lang',
  'sha256',
  'start',
  'end',
  'start_line',
  'end_line',
  'start_column',
  'symbol',
  'title',
  'text',
  'updated_at',
] as const satisfies readonly (keyof ChunkRow)[];

/** Results for a page of ranked chunks, with texts and highlights. Skips chunks that were replaced meanwhile. */
export async function hydrate(
  page: readonly Ranked[],
  query: QueryTerms,
  states: ReadonlyMap<string, DocumentState>,
  settings: Settings,
  tables: IndexTables,
  timeoutMs: number,
): Promise<SearchResult[]> {
  if (page.length === 0) return [];
  const ids = page.map(({ id }) => id);
  const byId = await rowsById<ChunkRow>(tables.chunks, ids, COLUMNS, timeoutMs);
  const texts =
    settings.contextLines > 0
      ? await documentTexts([...byId.values()], tables, timeoutMs)
      : new Map<string, string>();
  return page.flatMap(({ id, documentId, kind, score, scores }) => {
    const row = byId.get(id);
    const state = states.get(documentId);
    if (!row || !state) return [];
    const stretch = around(row, texts.get(row.doc_id), settings.contextLines);
    const full = settings.outputFormat === 'full';
    const shown = full
      ? excerptOf(stretch, termSpans(stretch.text, query), settings.contentMaxChars)
      : { content: '', truncated: false, highlights: [] };
    const result: SearchResult = {
      id,
      documentId,
      kind,
      projectId: row.project_id || null,
      path: row.path,
      language: row.lang || null,
      startLine: stretch.line,
      endLine: stretch.endLine,
      title: row.title,
      ...shown,
      score,
      scores,
      ...(row.symbol !== '' && { symbol: row.symbol }),
      updatedAt: state.updatedAt,
      stale: state.sha256 !== row.sha256,
    };
    return [result];
  });
}

async function documentTexts(rows: readonly ChunkRow[], tables: IndexTables, timeoutMs: number) {
  const ids = new Set(rows.map(({ doc_id }) => doc_id));
  const documents = await rowsById<DocumentRow>(tables.documents, ids, ['id', 'text'], timeoutMs);
  return new Map([...documents].map(([id, { text }]) => [id, text]));
}

/** A chunk with the lines around it, or alone if its document has changed there. */
function around(
  row: ChunkRow,
  document: string | undefined,
  more: number,
): Stretch & { readonly endLine: number } {
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
