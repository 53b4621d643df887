import type { SourceSymbol, Structure } from '@service-mcp/plugin-syntax/contract';
import { withoutEncoded } from '../analysis/encoded.js';
import { LineMap } from './line-map.js';

/** Part of the identity of every vector space: raise it with every change of what chunks or their terms are. */
export const CHUNKER_VERSION = '6';

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
  /** UTF-16 offsets in the document, `end` exclusive. The chunks of a document tile it, but for stretches without a word. */
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
}

/**
 * Cuts a text into chunks at the boundaries of its symbols (functions, classes, headings), large symbols at
 * those of their members, and what is still too long at line ends; small neighbours are merged. What is left over
 * between long ones without a word (a blank line, a closing brace, encoded data) is not a chunk: a search would find it by
 * its title.
 */
export function chunk(text: string, structure: Structure): Chunk[] {
  if (text.length === 0) return [];
  const lines = new LineMap(text);
  const children = childrenOf(structure.symbols);
  const pieces: Piece[] = [];
  cut(text, lines, { start: 0, end: text.length, owner: null }, children.get(null) ?? [], children, pieces);
  const chunks = merge(pieces).map((group) => describe(text, lines, group, structure.symbols));
  const worded = chunks.filter((one) => !WORDLESS.test(withoutEncoded(one.text)));
  return worded.length > 0 ? worded : chunks.slice(0, 1);
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
  const fits = piece.end - piece.start <= CHUNK_SIZES.most;
  if (fits && piece.owner !== null) {
    pieces.push(piece);
    return;
  }
  let at = piece.start;
  for (const symbol of inner) {
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

function splitInto(text: string, piece: Piece, pieces: Piece[]): void {
  if (piece.start >= piece.end) return;
  for (const [start, end] of splitLines(text, piece.start, piece.end, CHUNK_SIZES.most)) {
    pieces.push({ start, end, owner: piece.owner });
  }
}

function merge(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  let size = 0;
  for (const piece of pieces) {
    const length = piece.end - piece.start;
    const together = size + length <= CHUNK_SIZES.merged;
    if (group.length > 0 && !(together && (size < CHUNK_SIZES.alone || length < CHUNK_SIZES.alone))) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(piece);
    size += length;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

function titleOf({ kind, qualifiedName, signature }: SourceSymbol): string {
  return kind === 'heading' ? qualifiedName : signature.slice(0, 200);
}

function partsOf(symbols: readonly SourceSymbol[], start: number, end: number): Part[] {
  return symbols
    .filter(
      (symbol) => symbol.start < end && symbol.end > start && (symbol.start >= start || symbol.end < end),
    )
    .map((symbol) => ({
      start: symbol.start - start,
      end: Math.min(end, symbol.end) - start,
      symbol: symbol.qualifiedName,
      title: titleOf(symbol),
    }));
}

function describe(
  text: string,
  lines: LineMap,
  group: readonly Piece[],
  symbols: readonly SourceSymbol[],
): Chunk {
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
    parts: partsOf(symbols, start, end),
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
