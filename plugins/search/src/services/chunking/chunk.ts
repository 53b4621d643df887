import type { Passage, SourceSymbol, Structure } from '@service-mcp/plugin-syntax/contract';
import { withoutEncoded } from '../analysis/encoded.js';
import { readable } from '../analysis/readable.js';
import { LineMap } from './line-map.js';

/** A number, to be raised with every change of what chunks or their terms are: all documents are then indexed again. */
export const CHUNKER_VERSION = '9';

/** Sizes in UTF-16 code units. */
export const CHUNK_SIZES = {
  /** No chunk is longer. */
  most: 2000,
  /** Neighbours are merged up to this. */
  merged: 1600,
  /** A chunk of this size stands alone. */
  alone: 600,
} as const;

/** A symbol in a chunk. */
export interface Part {
  /** UTF-16 offset in the chunk; negative where the symbol begins before it. */
  readonly start: number;
  /** Exclusive, at most the length of the chunk. */
  readonly end: number;
  readonly symbol: string;
  readonly title: string;
}

export interface Chunk {
  /** UTF-16 offsets in the document, `end` exclusive. The chunks of a document tile it, but for stretches that are not read. */
  readonly start: number;
  readonly end: number;
  /** Lines from 1, both inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** Column of `start`, from 1. */
  readonly startColumn: number;
  /** The qualified name of the symbol that most of the chunk belongs to. */
  readonly symbol: string | null;
  /** The names of every symbol in the chunk. */
  readonly symbols: readonly string[];
  /** The symbols that begin or end in the chunk, outer before inner. */
  readonly parts: readonly Part[];
  readonly title: string;
  readonly text: string;
}

/** A stretch of the document that belongs to one symbol, or to none. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly owner: SourceSymbol | null;
  /** Not merged with the one before. */
  readonly isApart?: boolean;
}

/**
 * Cuts a text into chunks at the boundaries of its symbols (functions, classes, headings), large symbols at
 * those of their members, and what is still too long at line ends; small neighbours are merged. What is left over
 * between long ones without a word (a blank line, a closing brace, encoded data) is not a chunk: a search would find it by
 * its title. Of a text with passages, those alone are in chunks; each belongs to one, unless it is too long.
 */
export function chunk(text: string, structure: Structure): Chunk[] {
  if (text.length === 0) return [];
  const lines = new LineMap(text);
  const children = childrenOf(structure.symbols);
  const pieces: Piece[] = [];
  for (const { start, end, isApart } of stretches(text, lines, structure)) {
    const from = pieces.length;
    cut(text, lines, { start, end, owner: null }, children.get(null) ?? [], children, pieces);
    const first = pieces[from];
    if (isApart && first) pieces[from] = { ...first, isApart };
  }
  const partsIn = partsAlong(structure.symbols);
  const chunks = merge(pieces).map((group) => describe(text, lines, group, partsIn));
  const worded = chunks.filter(
    (one) => !WORDLESS.test(withoutEncoded(readable(one.text, structure.language))),
  );
  return worded.length > 0 ? worded : chunks.slice(0, 1);
}

/** The passages of a text on whole lines, or all of it. */
function stretches(text: string, lines: LineMap, { passages = [] }: Structure): readonly Passage[] {
  // Without a byte order mark, which does not come back from the index.
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  if (passages.length === 0) return [{ start: first, end: text.length, isApart: false }];
  return passages.map(({ start, end, isApart }) => ({
    start: Math.max(first, lines.snapStart(start)),
    end: lines.snapEnd(end),
    isApart,
  }));
}

/** Blanks and ASCII punctuation alone. */
const WORDLESS = /^[\s!-/:-@[-`{-~]*$/u;

function childrenOf(symbols: readonly SourceSymbol[]): Map<SourceSymbol | null, SourceSymbol[]> {
  const children = new Map<SourceSymbol | null, SourceSymbol[]>();
  for (const symbol of symbols) {
    const parent = symbol.parent === null ? null : (symbols[symbol.parent] ?? null);
    const siblings = children.get(parent);
    if (siblings) siblings.push(symbol);
    else children.set(parent, [symbol]);
  }
  return children;
}

function cut(
  text: string,
  lines: LineMap,
  piece: Piece,
  inner: readonly SourceSymbol[],
  children: ReadonlyMap<SourceSymbol | null, readonly SourceSymbol[]>,
  pieces: Piece[],
): void {
  const within = inner.filter(({ start, end }) => end > piece.start && start < piece.end);
  const fits = piece.end - piece.start <= CHUNK_SIZES.most;
  if (fits && piece.owner !== null && !within.some((symbol) => isOwnerOf(piece, symbol))) {
    pieces.push(piece);
    return;
  }
  let at = piece.start;
  for (const symbol of within) {
    const start = Math.max(at, lines.snapStart(symbol.start));
    const end = Math.min(piece.end, lines.snapEnd(symbol.end));
    if (start >= end || start < at || (start === piece.start && end === piece.end && symbol === piece.owner))
      continue;
    splitInto(text, { start: at, end: start, owner: piece.owner }, pieces);
    cut(text, lines, { start, end, owner: symbol }, children.get(symbol) ?? [], children, pieces);
    at = end;
  }
  splitInto(text, { start: at, end: piece.end, owner: piece.owner }, pieces);
}

/** Whether a symbol inside the owner of a piece names cells better: the section that the cell is in, or a function in it. */
function isOwnerOf({ start, owner }: Piece, symbol: SourceSymbol): boolean {
  return symbol.start < start || (owner?.kind === 'heading' && symbol.kind !== 'heading');
}

function splitInto(text: string, piece: Piece, pieces: Piece[]): void {
  if (piece.start >= piece.end) return;
  for (const [start, end] of splitLines(text, piece.start, piece.end, CHUNK_SIZES.most)) {
    pieces.push({ start, end, owner: piece.owner });
  }
}

function merge(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  for (const piece of pieces) {
    const start = group[0]?.start ?? piece.start;
    const size = (group.at(-1)?.end ?? start) - start;
    const length = piece.end - piece.start;
    const together = !piece.isApart && piece.end - start <= CHUNK_SIZES.merged;
    if (group.length > 0 && !(together && (size < CHUNK_SIZES.alone || length < CHUNK_SIZES.alone))) {
      groups.push(group);
      group = [];
    }
    group.push(piece);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

function titleOf({ kind, qualifiedName, signature }: SourceSymbol): string {
  return kind === 'heading' ? qualifiedName : signature.slice(0, 200);
}

type PartsIn = (start: number, end: number) => Part[];

/** The parts of one range after the other, each of which begins and ends behind the one before. */
function partsAlong(symbols: readonly SourceSymbol[]): PartsIn {
  let next = 0;
  let near: SourceSymbol[] = [];
  return (start, end) => {
    near = near.filter((symbol) => symbol.end > start);
    for (let symbol = symbols[next]; symbol && symbol.start < end; symbol = symbols[next]) {
      if (symbol.end > start) near.push(symbol);
      next += 1;
    }
    return near
      .filter((symbol) => symbol.start >= start || symbol.end < end)
      .map((symbol) => ({
        start: symbol.start - start,
        end: Math.min(end, symbol.end) - start,
        symbol: symbol.qualifiedName,
        title: titleOf(symbol),
      }));
  };
}

function describe(text: string, lines: LineMap, group: readonly Piece[], partsIn: PartsIn): Chunk {
  const start = group[0]?.start ?? 0;
  const end = group.at(-1)?.end ?? text.length;
  const weights = new Map<SourceSymbol, number>();
  for (const { owner, start: from, end: to } of group) {
    if (owner) weights.set(owner, (weights.get(owner) ?? 0) + to - from);
  }
  const [main] = [...weights].sort((a, b) => b[1] - a[1]);
  const owner = main?.[0];
  return {
    start,
    end,
    startLine: lines.lineOf(start),
    endLine: lines.lineOf(end - 1),
    startColumn: start - lines.startOfLine(lines.lineOf(start)) + 1,
    symbol: owner?.qualifiedName ?? null,
    symbols: [...weights.keys()].map((symbol) => symbol.qualifiedName),
    parts: partsIn(start, end),
    title: owner ? titleOf(owner) : '',
    text: text.slice(start, end),
  };
}

/**
 * Cuts `[start, end)` into ranges of at most `most` code units: at a blank line in the last half of the room where
 * there is one, else at a line end, else (one over-long line) at a blank, else between two characters. What is left is not
 * too short to stand alone: the last row of a table would be the best hit for each word of its title.
 */
function* splitLines(text: string, start: number, end: number, most: number): Generator<[number, number]> {
  let at = start;
  while (end - at > most) {
    const cut = cutPoint(text, at, at + Math.min(most, end - at - CHUNK_SIZES.alone));
    yield [at, cut];
    at = cut;
  }
  if (at < end) yield [at, end];
}

function cutPoint(text: string, from: number, limit: number): number {
  const half = from + ((limit - from) >> 1);
  const room = text.slice(from, limit);
  const blank = Math.max(room.lastIndexOf('\n\n') + 2, room.lastIndexOf('\n\r\n') + 3);
  if (from + blank > half) return from + blank;
  const line = from + room.lastIndexOf('\n') + 1;
  if (line > from) return line;
  const space = from + room.lastIndexOf(' ') + 1;
  if (space > half) return space;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
