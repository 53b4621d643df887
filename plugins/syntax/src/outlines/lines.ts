import { Lines } from '../text.js';

/** What begins and ends comments and texts of several lines, see `Declarations`. */
export type Spans = ReadonlyArray<readonly [begin: RegExp, end?: RegExp]>;

export interface Line {
  readonly start: number;
  readonly text: string;
  /** Of its first character that is not white space; -1 for a blank line. */
  readonly indent: number;
  /** How far right that stands; -1 for a blank line. */
  readonly column: number;
  /** It goes on with a comment or a text of the line above. */
  readonly inSpan: boolean;
  /** What ends a statement of SQL, where `DELIMITER` set that. */
  readonly delimiter: string | undefined;
}

/** Of a line, what is matched. */
export const MAX_LINE = 400;
/** A word alone on its line, which may end a text. */
const WORD_LINE = /^[ \t]*([A-Za-z_]\w*)[ \t]*\r?$/gm;
const DELIMITER = /^\s*delimiter\s+(\S+)/i;
const PREPROCESSOR = /^\s*#(?:if|ifdef|ifndef|elif|elseif|else|endif|pragma|region|endregion)\b/;

/** Lines inside of comments and texts, and those of a preprocessor, count as blank. */
export function linesOf(text: string, spans: Spans): Line[] {
  const lines = new Lines(text);
  const wordLines = new Map<string, number>();
  if (spans.some(([, end]) => !end))
    for (const match of text.matchAll(WORD_LINE)) wordLines.set(match[1]!, match.index);
  let isEnd: ((line: string) => boolean) | undefined;
  let delimiter: string | undefined;
  return Array.from({ length: lines.count }, (_, at) => {
    const start = lines.start(at);
    const line = text.slice(start, lines.start(at + 1)).trimEnd();
    const indent = line.search(/[^\s\ufeff]/);
    const inSpan = isEnd !== undefined;
    if (isEnd?.(line)) isEnd = undefined;
    else if (!inSpan && indent >= 0)
      isEnd = endOfSpan(line.slice(indent), spans, (word) => (wordLines.get(word) ?? -1) > start);
    const set = DELIMITER.exec(line)?.[1];
    if (set !== undefined) delimiter = set === ';' ? undefined : set;
    const isBlank = inSpan || PREPROCESSOR.test(line);
    return {
      start,
      text: line,
      indent: isBlank ? -1 : indent,
      column: isBlank ? -1 : columnOf(line.slice(0, Math.max(0, indent))),
      inSpan,
      delimiter,
    };
  });
}

/** Behind white space, with tab stops of 8; a byte order mark takes no room. */
function columnOf(space: string): number {
  let column = 0;
  for (const each of space) column += each === '\t' ? 8 - (column % 8) : Number(each !== '\ufeff');
  return column;
}

/** Tells the last line of the comment or text that a line begins and does not end. */
function endOfSpan(
  line: string,
  spans: Spans,
  isBelow: (word: string) => boolean,
): ((line: string) => boolean) | undefined {
  const words = line.slice(0, MAX_LINE);
  for (const [begin, end] of spans) {
    const opening = begin.exec(words);
    if (!opening) continue;
    if (end) return end.test(line.slice(opening[0].length)) ? undefined : (below) => end.test(below);
    const word = opening.at(-1)!;
    if (isBelow(word)) return (below) => below.trim() === word;
  }
  return undefined;
}
