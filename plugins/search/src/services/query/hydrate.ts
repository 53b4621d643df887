import type { DocumentState, SearchResult } from '../../contract.js';
import type { QueryTerms } from '../analysis/analyse.js';
import { LineMap } from '../chunking/line-map.js';
import { among } from '../index/filter.js';
import type { IndexTables } from '../index/index-tables.js';
import type { ChunkRow } from '../index/tables.js';
import { termSpans } from './highlight.js';
import { present, type Stretch } from './present.js';
import type { Ranked } from './ranked-search.js';
import type { Settings } from './settings.js';

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

/** The texts of a page of ranked chunks, with their highlights. A chunk that was replaced meanwhile is left out. */
export async function hydrate(
  page: readonly Ranked[],
  query: QueryTerms,
  states: ReadonlyMap<string, DocumentState>,
  settings: Settings,
  tables: IndexTables,
  timeoutMs: number,
): Promise<SearchResult[]> {
  if (page.length === 0) return [];
  const rows: ChunkRow[] = await tables.chunks
    .query()
    .where(
      among(
        'id',
        page.map(({ id }) => id),
      ),
    )
    .select([...COLUMNS])
    .toArray({ timeoutMs });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts =
    settings.contextLines > 0 ? await documentTexts(rows, tables, timeoutMs) : new Map<string, string>();
  return page.flatMap(({ id, documentId, kind, score, scores }) => {
    const row = byId.get(id);
    const state = states.get(documentId);
    if (!row || !state) return [];
    const stretch = around(row, texts.get(row.doc_id), settings.contextLines);
    const full = settings.outputFormat === 'full';
    const shown = full
      ? present(stretch, termSpans(stretch.text, query), settings.contentMaxChars)
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
  const documents: { id: string; text: string }[] = await tables.documents
    .query()
    .where(among('id', new Set(rows.map(({ doc_id }) => doc_id))))
    .select(['id', 'text'])
    .toArray({ timeoutMs });
  return new Map(documents.map(({ id, text }) => [id, text]));
}

/** A chunk with lines around it, where its document still reads as the chunk does. */
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
