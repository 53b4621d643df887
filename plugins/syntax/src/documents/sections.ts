import type { SourceSymbol } from '../contract.js';
import { clip, trimmedEnd, type Lines } from '../text.js';
import { QualifiedNames } from '../worker/qualified-names.js';

export interface Heading {
  /** 1 is the highest. */
  readonly level: number;
  readonly title: string;
  readonly signature: string;
  /** UTF-16 offset. */
  readonly start: number;
}

const MAX_NAME = 256;

/**
 * Sections from headings in order: each ends before the next heading of its level or a higher one, the last ones at `end`.
 * `names` are those that other symbols have.
 */
export function sections(
  lines: Lines,
  headings: readonly Heading[],
  { end: length = lines.text.length, names = new QualifiedNames() } = {},
): SourceSymbol[] {
  const { text } = lines;
  const ends = sectionEnds(headings, length);
  const symbols: SourceSymbol[] = [];
  const open: { level: number; index: number }[] = [];
  headings.forEach((heading, index) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const parent = open.at(-1)?.index ?? null;
    const { start } = heading;
    const end = trimmedEnd(text, start, ends[index] as number);
    const name = clip(heading.title.replaceAll(/\s+/g, ' ').trim(), MAX_NAME) || 'untitled';
    const above = parent === null ? '' : `${symbols[parent]?.qualifiedName} > `;
    symbols.push({
      name,
      qualifiedName: names.claim(`${above}${name}`),
      kind: 'heading',
      start,
      end,
      startLine: lines.at(start) + 1,
      endLine: lines.at(Math.max(start, end - 1)) + 1,
      signature: clip(heading.signature, 300),
      parent,
    });
    open.push({ level: heading.level, index });
  });
  return symbols;
}

function sectionEnds(headings: readonly Heading[], length: number): number[] {
  const ends = headings.map(() => length);
  const open: number[] = [];
  headings.forEach((heading, index) => {
    while (open.length > 0 && (headings[open.at(-1) as number]?.level ?? 0) >= heading.level) {
      ends[open.pop() as number] = heading.start;
    }
    open.push(index);
  });
  return ends;
}
