import type { Token } from './highlight.js';

/** Offsets of UTF-16 code units inside a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Piece extends Token {
  readonly marked: boolean;
  /** Its offset in the whole text. */
  readonly start: number;
}

/** The lines of a text whose tokens are given, cut where a mark starts or ends. Marks do not overlap. */
export function splitLines(tokens: readonly Token[], marks: readonly Range[]): readonly (readonly Piece[])[] {
  const cuts = marks.flatMap(({ start, end }) => [start, end]);
  const lines: Piece[][] = [[]];
  let offset = 0;
  for (const { text, className } of tokens) {
    const inside = cuts
      .filter((cut) => cut > offset && cut < offset + text.length)
      .map((cut) => cut - offset);
    const edges = [0, ...inside.toSorted((a, b) => a - b), text.length];
    for (const [index, from] of edges.slice(0, -1).entries()) {
      const at = offset + from;
      const marked = marks.some(({ start, end }) => at >= start && at < end);
      let start = at;
      for (const [row, part] of text
        .slice(from, edges[index + 1])
        .split('\n')
        .entries()) {
        if (row > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ text: part, className, marked, start });
        start += part.length + 1;
      }
    }
    offset += text.length;
  }
  return lines;
}
