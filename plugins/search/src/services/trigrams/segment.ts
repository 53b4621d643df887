import { FOLD, trigramHash } from './fold.js';

/** Ordinals of documents in a segment are below this, so that hash and ordinal fit one double. */
export const ORDINALS = 2 ** 17;
/** Bits of a hash that can choose a row; a segment has at most 4,096 rows. */
export const MAX_BITS = 12;
const ROW_BYTES = 8192;
const ASCII = 128;

/** Hash and ordinal of each distinct trigram of each document, as `hash * ORDINALS + ordinal`. */
export class Pairs {
  #values = new Float64Array(1 << 16);
  #length = 0;

  push(pair: number): void {
    if (this.#length === this.#values.length) {
      const more = new Float64Array(this.#length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#length++] = pair;
  }

  /** In order; duplicates stay. */
  sorted(): Float64Array {
    return this.#values.subarray(0, this.#length).sort();
  }
}

/** The text that last had a trigram of ASCII, by its code of 21 bits: 8 MiB, shared by all segments. */
const lastText = new Uint32Array(ASCII ** 3);
let texts = 0;

/** Adds the distinct trigrams of a document. One pass; about 10 ns a code unit. */
export function addTrigrams(text: string, ordinal: number, pairs: Pairs): void {
  if (++texts === 0xffffffff) {
    lastText.fill(0);
    texts = 1;
  }
  const others = new Set<number>();
  let a = FOLD[text.charCodeAt(0)] ?? 0;
  let b = FOLD[text.charCodeAt(1)] ?? 0;
  for (let at = 2; at < text.length; at++) {
    const c = FOLD[text.charCodeAt(at)] ?? 0;
    if ((a | b | c) < ASCII) {
      const code = (a << 14) | (b << 7) | c;
      if (lastText[code] !== texts) {
        lastText[code] = texts;
        pairs.push(trigramHash(a, b, c) * ORDINALS + ordinal);
      }
    } else {
      const hash = trigramHash(a, b, c);
      if (!others.has(hash)) {
        others.add(hash);
        pairs.push(hash * ORDINALS + ordinal);
      }
    }
    a = b;
    b = c;
  }
}

/** How many bits of a hash choose its row, for postings of so many bytes. */
export function bitsFor(bytes: number): number {
  return Math.min(MAX_BITS, Math.max(0, Math.ceil(Math.log2(bytes / ROW_BYTES))));
}

/** The row of a hash, in a segment of so many bits. */
export function rowOf(hash: number, bits: number): number {
  return bits === 0 ? 0 : hash >>> (32 - bits);
}

/** Rows by number, from sorted pairs. A row: for each hash its distance to the one before, the length of its postings, and those. */
export function encodeRows(sorted: Float64Array, bits: number): Map<number, Buffer> {
  const rows = new Map<number, Buffer>();
  let row = new Bytes();
  let postings = new Bytes();
  let number = -1;
  let before = 0;
  for (let at = 0; at < sorted.length;) {
    const hash = Math.floor((sorted[at] ?? 0) / ORDINALS);
    const base = hash * ORDINALS;
    const own = rowOf(hash, bits);
    if (own !== number) {
      if (number !== -1) rows.set(number, row.take());
      number = own;
      before = 0;
    }
    let last = -1;
    for (; at < sorted.length; at++) {
      const ordinal = (sorted[at] ?? 0) - base;
      if (ordinal >= ORDINALS) break;
      if (ordinal === last) continue;
      postings.varint(ordinal - last - 1);
      last = ordinal;
    }
    row.varint(hash - before);
    before = hash;
    row.append(postings);
  }
  if (number !== -1) rows.set(number, row.take());
  return rows;
}

/** Calls `visit` for the hashes of a row, in order, each with the part of the row that holds its postings. */
export function eachHash(row: Uint8Array, visit: (hash: number, from: number, to: number) => void): void {
  const reader = new Reader(row);
  let hash = 0;
  while (reader.at < row.length) {
    hash += reader.varint();
    const length = reader.varint();
    visit(hash, reader.at, reader.at + length);
    reader.at += length;
  }
}

export function eachOrdinal(
  row: Uint8Array,
  from: number,
  to: number,
  visit: (ordinal: number) => void,
): void {
  const reader = new Reader(row, from);
  for (let last = -1; reader.at < to;) {
    last += reader.varint() + 1;
    visit(last);
  }
}

/** A growing buffer of numbers, seven bits a byte, the low ones first. */
class Bytes {
  #data = Buffer.alloc(1 << 14);
  #length = 0;

  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#data[this.#length++] = (rest % 128) | 128;
    this.#data[this.#length++] = rest;
  }

  /** Appends the length and the content of another buffer, and empties that. */
  append(other: Bytes): void {
    this.varint(other.#length);
    this.#reserve(other.#length);
    other.#data.copy(this.#data, this.#length, 0, other.#length);
    this.#length += other.#length;
    other.#length = 0;
  }

  /** A copy of the content; the buffer is empty then. */
  take(): Buffer {
    const taken = Buffer.from(this.#data.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#data.length) return;
    const more = Buffer.alloc(2 * (this.#length + bytes));
    this.#data.copy(more, 0, 0, this.#length);
    this.#data = more;
  }
}

class Reader {
  at: number;
  readonly #data: Uint8Array;

  constructor(data: Uint8Array, at = 0) {
    this.#data = data;
    this.at = at;
  }

  varint(): number {
    let byte = this.#data[this.at++] ?? 0;
    let value = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = this.#data[this.at++] ?? 0;
      value += (byte & 127) * scale;
    }
    return value;
  }
}
