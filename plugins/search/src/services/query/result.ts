import type { DocumentState } from '../../contract.js';
import type { SearchResult } from '../../schemas.js';
import { LineMap } from '../chunking/line-map.js';
import type { Span } from './reading.js';
import { roundScore } from './round-score.js';
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

const NOTHING = { content: '', truncated: false, highlights: [] };

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
  const excerpt =
    output_format === 'full'
      ? excerptOf(stretch, spans, content_max_chars)
      : { ...NOTHING, start_line: stretch.line, end_line: stretch.endLine };
  return {
    id: own.id,
    kind: own.kind,
    project_id: state.projectId,
    path: state.path || `${own.kind}/${own.doc_id}`, // a record without a path is called by its id
    language: state.language,
    title: own.title,
    ...excerpt,
    score: roundScore(own.score),
    scores: Object.fromEntries(Object.entries(own.scores).map(([name, score]) => [name, roundScore(score)])),
    ...(own.symbol && { symbol: own.symbol }),
    updated_at: state.updatedAt,
    stale: state.sha256 !== own.sha256,
    ...(state.standing !== undefined && { standing: state.standing }),
  };
}

/** What a result shows of a stretch, and the lines of that part in the document. */
type Excerpt = Pick<SearchResult, 'content' | 'truncated' | 'highlights' | 'start_line' | 'end_line'>;

/** Cuts a stretch to `maxChars` code units around its first highlight; highlights become offsets in the content. */
export function excerptOf(stretch: Stretch, spans: readonly Span[], maxChars: number): Excerpt {
  const { text } = stretch;
  const lines = new LineMap(text);
  const truncated = text.length > maxChars;
  const [start, end] = truncated
    ? windowAround(lines, text, stretch.focus ?? spans[0], maxChars)
    : [0, text.length];
  const lineAt = (offset: number) => stretch.line + lines.lineOf(offset) - 1;
  const highlights: SearchResult['highlights'] = [];
  for (const span of spans) {
    if (span.start < start || span.start >= end || highlights.length >= MAX_HIGHLIGHTS) continue;
    const line = lines.lineOf(span.start);
    const column = span.start - lines.startOfLine(line) + (line === 1 ? stretch.column : 1);
    const to = Math.min(span.end, end) - start;
    highlights.push({ start: span.start - start, end: to, line: lineAt(span.start), column });
  }
  return {
    content: text.slice(start, end),
    truncated,
    highlights,
    start_line: lineAt(start),
    end_line: end === text.length ? stretch.endLine : lineAt(end - 1),
  };
}

/**
 * Start and end of the part of a text that shows a span in at most `maxChars` code units: whole lines, as many before the
 * span as behind it where there is a choice; a part of a line that is longer.
 */
function windowAround(
  lines: LineMap,
  text: string,
  focus: Span = { start: 0, end: 0 },
  maxChars: number,
): [number, number] {
  let top = lines.lineOf(focus.start);
  let bottom = top;
  const fits = (from: number, to: number) =>
    from >= 1 && to <= lines.count && lines.endOfLine(to) - lines.startOfLine(from) <= maxChars;
  if (!fits(top, top))
    return partOfLine(text, [lines.startOfLine(top), lines.endOfLine(top)], focus, maxChars);
  const last = lines.lineOf(Math.max(focus.start, focus.end - 1));
  while (bottom < last && fits(top, bottom + 1)) bottom++;
  const spare = maxChars - (lines.endOfLine(bottom) - lines.startOfLine(top));
  const above = lines.startOfLine(top) - spare / 2;
  while (top > 1 && lines.startOfLine(top - 1) >= above) top--;
  while (fits(top, bottom + 1)) bottom++;
  while (fits(top - 1, bottom)) top--;
  return [lines.startOfLine(top), lines.endOfLine(bottom)];
}

/** `maxChars` code units of a line that is longer, around a span; no character is cut in two. */
function partOfLine(
  text: string,
  [from, to]: readonly [number, number],
  focus: Span,
  maxChars: number,
): [number, number] {
  const middle = (focus.start + Math.min(focus.end, to, focus.start + maxChars)) / 2;
  const centred = Math.max(from, Math.min(Math.floor(middle - maxChars / 2), to - maxChars));
  let start = Math.min(centred, focus.start);
  if (isLowSurrogate(text, start)) start++;
  let end = Math.min(to, start + maxChars);
  if (isLowSurrogate(text, end)) end--;
  return [start, end];
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff;
}
