import type { Passage, SourceSymbol, Structure } from '../contract.js';
import { readNotebook, valueOfString, type Cell } from '../embedded/notebook.js';
import { Lines, trimmedEnd } from '../text.js';
import { QualifiedNames } from '../worker/qualified-names.js';
import { markdownHeadings } from './markdown.js';
import { sections, type Heading } from './sections.js';

/** An escape of JSON. */
const ESCAPE = /\\(?:u[\da-f]{4}|[^])/gi;
const LINE_FEED = /^\\(?:n|u000a)$/i;

/** The sections of a notebook around the symbols of its code, and the sources of its cells; nothing for other texts. */
export function notebook(
  text: string,
  code: readonly SourceSymbol[],
): Partial<Pick<Structure, 'symbols' | 'passages'>> {
  const cells = readNotebook(text)?.cells;
  if (!cells) return {};
  const passages = passagesOf(text, cells);
  const names = new QualifiedNames();
  for (const { qualifiedName } of code) names.claim(qualifiedName);
  const headings = cells.flatMap((cell) => headingsOf(text, cell));
  const lines = new Lines(text);
  const around = sections(lines, headings, { end: passages.at(-1)?.end ?? text.length, names });
  return {
    symbols: nested(
      around,
      code.map((symbol) => onWholeLines(lines, symbol)),
    ),
    passages,
  };
}

function passagesOf(text: string, cells: readonly Cell[]): Passage[] {
  const passages: Passage[] = [];
  let isApart = false;
  for (const cell of cells) {
    isApart ||= cell.isApart;
    const [first, last] = [cell.source[0], cell.source.at(-1)];
    if (!first || !last || cell.source.every((range) => valueOfString(text, range).trim() === '')) continue;
    passages.push({ start: first.start, end: last.end, isApart });
    isApart = false;
  }
  return passages;
}

function headingsOf(text: string, { kind, level, source }: Cell): Heading[] {
  const [first] = source;
  if (!first || (kind !== 'markdown' && kind !== 'heading')) return [];
  const values = source.map((range) => valueOfString(text, range));
  const whole = values.join('');
  if (kind === 'heading') return [{ level, title: whole, signature: whole, start: first.start }];
  const starts = lineStarts(text, source, values);
  return markdownHeadings(new Lines(whole)).map((heading) => {
    return { ...heading, start: starts.get(heading.start) ?? first.start };
  });
}

/** Where the lines of a source begin in the file, by where they begin in its values. */
function lineStarts(text: string, source: Cell['source'], values: readonly string[]): Map<number, number> {
  const starts = new Map<number, number>();
  let before = 0;
  source.forEach(({ start, end }, index) => {
    starts.set(before, start);
    let longer = 0;
    for (const { 0: escape, index: at } of text.slice(start + 1, end).matchAll(ESCAPE)) {
      const behind = at + escape.length;
      longer += escape.length - 1;
      if (LINE_FEED.test(escape)) starts.set(before + behind - longer, start + 1 + behind);
    }
    before += values[index]?.length ?? 0;
  });
  return starts;
}

/** A symbol up to the end of its line: code is shorter than the string that it is read from. */
function onWholeLines(lines: Lines, symbol: SourceSymbol): SourceSymbol {
  return { ...symbol, end: trimmedEnd(lines.text, symbol.start, lines.start(symbol.endLine)) };
}

/** Sections with the symbols that they hold, in source order. */
function nested(around: readonly SourceSymbol[], code: readonly SourceSymbol[]): SourceSymbol[] {
  const ordered = [...around, ...code].sort((a, b) => a.start - b.start || b.end - a.end);
  const places = new Map(ordered.map((symbol, index) => [symbol, index]));
  const isSection = new Set(around);
  let section: SourceSymbol | undefined;
  return ordered.map((symbol) => {
    if (isSection.has(symbol)) section = symbol;
    const own = symbol.parent === null ? undefined : (isSection.has(symbol) ? around : code)[symbol.parent];
    const parent = own ?? (isSection.has(symbol) ? undefined : section);
    return { ...symbol, parent: parent ? (places.get(parent) ?? null) : null };
  });
}
