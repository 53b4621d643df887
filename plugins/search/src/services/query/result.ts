import type { DocumentState } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { LineMap } from '../chunking/line-map.js';
import type { Span } from './matches.js';
import type { Settings } from './settings.js';

/** A stretch of a document: `text` begins at this line and column (from 1). */
export interface Stretch {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** The span that an excerpt must show; default the first highlight. */
  readonly focus?: Span | undefined;
}

/** Highlights per result; pattern results are split before they reach it. */
const MAX_HIGHLIGHTS = 200;

/** One result: a stretch of an indexed document with its highlights, beside the state of the document now. */
export function resultOf(
  state: DocumentState,
  stretch: Stretch,
  spans: readonly Span[],
  { output_format, content_max_chars }: Settings,
  own: Pick<SearchResult, 'id' | 'kind' | 'score' | 'scores' | 'symbol' | 'title'> & {
    readonly doc_id: string;
    /** Of the text that was indexed. */
    readonly sha256: string;
  },
): SearchResult {
  const { content, truncated, highlights } =
    output_format === 'full'
      ? excerptOf(stretch, spans, content_max_chars)
      : { content: '', truncated: false, highlights: [] };
  return {
    id: own.id,
    kind: own.kind,
    project_id: state.projectId,
    path: state.path || `${own.kind}/${own.doc_id}`, // a record without a path is called by its id
    language: state.language,
    start_line: stretch.line,
    end_line: stretch.endLine,
    title: own.title,
    content,
    truncated,
    score: round(own.score),
    scores: Object.fromEntries(Object.entries(own.scores).map(([name, score]) => [name, round(score)])),
    highlights,
    ...(own.symbol && { symbol: own.symbol }),
    updated_at: state.updatedAt,
    stale: state.sha256 !== own.sha256,
  };
}

/** Six digits distinguish any two candidates. */
function round(score: number): number {
  return Number(score.toPrecision(6));
}

/** Cuts a stretch to `maxChars` code units around its first highlight; highlights become offsets in the content. */
export function excerptOf(
  stretch: Stretch,
  spans: readonly Span[],
  maxChars: number,
): Pick<SearchResult, 'content' | 'truncated' | 'highlights'> {
  const { text } = stretch;
  const [start, end] =
    text.length <= maxChars ? [0, text.length] : windowAround(text, stretch.focus ?? spans[0], maxChars);
  const lines = new LineMap(text);
  const highlights: SearchResult['highlights'] = [];
  for (const span of spans) {
    if (span.start < start || span.start >= end || highlights.length >= MAX_HIGHLIGHTS) continue;
    const line = lines.lineOf(span.start);
    const column = span.start - lines.startOfLine(line) + (line === 1 ? stretch.column : 1);
    const to = Math.min(span.end, end) - start;
    highlights.push({ start: span.start - start, end: to, line: stretch.line + line - 1, column });
  }
  return { content: text.slice(start, end), truncated: end - start < text.length, highlights };
}

function windowAround(text: string, first: Span | undefined, maxChars: number): [number, number] {
  const middle = first ? (first.start + Math.min(first.end, first.start + maxChars)) / 2 : 0;
  let start = Math.max(0, Math.min(Math.floor(middle - maxChars / 2), text.length - maxChars));
  if (first) start = Math.min(start, first.start);
  // Starts at a whole line if the highlight stays inside.
  const feed = text.lastIndexOf('\n', start + 80) + 1;
  if (start > 0 && feed > start && (!first || feed <= first.start)) start = feed;
  if (isLowSurrogate(text, start)) start++;
  let end = Math.min(text.length, start + maxChars);
  if (isLowSurrogate(text, end)) end--;
  return [start, end];
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff;
}
