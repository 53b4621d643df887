import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import type { TermCounts } from '../analysis/analyse.js';

/** A vector for each known term, eight bits an entry, with the weight that it has in a sum. */
export interface TermModel {
  readonly dimensions: number;
  readonly terms: readonly string[];
  /** Inverse document frequency. */
  readonly weights: Float32Array;
  /** The factor of the entries of a row. */
  readonly scales: Float32Array;
  readonly table: Int8Array;
}

/** Rows keep their length: training shortens those of terms that say little. */
export function quantise(
  terms: readonly string[],
  weights: Float32Array,
  vectors: Float32Array,
  dimensions: number,
): TermModel {
  const table = new Int8Array(terms.length * dimensions);
  const scales = new Float32Array(terms.length);
  for (let row = 0; row < terms.length; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    let most = 0;
    for (const value of vector) most = Math.max(most, Math.abs(value));
    if (most === 0) continue;
    scales[row] = most / 127;
    for (let k = 0; k < dimensions; k++) table[row * dimensions + k] = Math.round((vector[k]! / most) * 127);
  }
  return { dimensions, terms, weights, scales, table };
}

/** Embeds texts as the weighted mean of the vectors of their terms, brought to length 1. */
export class TermEmbedder {
  readonly #model: TermModel;
  readonly #ids: ReadonlyMap<string, number>;

  constructor(model: TermModel) {
    this.#model = model;
    this.#ids = new Map(model.terms.map((term, id) => [term, id]));
  }

  /** Null where no term of the text is known. */
  embed(counts: TermCounts): Float32Array | null {
    const { dimensions, weights, scales, table } = this.#model;
    const sum = new Float32Array(dimensions);
    for (const [term, count] of counts) {
      const id = this.#ids.get(term);
      if (id === undefined) continue;
      const weight = weights[id]! * scales[id]! * (1 + Math.log(count));
      const row = id * dimensions;
      for (let k = 0; k < dimensions; k++) sum[k]! += weight * table[row + k]!;
    }
    return normalise(sum);
  }
}

/** Brings a vector to length 1, in place; null where it has none. */
export function normalise(vector: Float32Array): Float32Array | null {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square < 1e-20) return null;
  const length = Math.sqrt(square);
  for (let k = 0; k < vector.length; k++) vector[k]! /= length;
  return vector;
}

/** The model as bytes; `digest` names its content. */
export function pack(model: TermModel): { bytes: Buffer; digest: string } {
  const head = Buffer.from(JSON.stringify({ dimensions: model.dimensions, terms: model.terms }), 'utf8');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const parts = [size, head, bytesOf(model.weights), bytesOf(model.scales), bytesOf(model.table)];
  const bytes = deflateSync(Buffer.concat(parts), { level: 1 });
  return { bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}

export function unpack(packed: Uint8Array): TermModel {
  const bytes = inflateSync(packed);
  const headEnd = 4 + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, headEnd)) as { dimensions: number; terms: string[] };
  const count = head.terms.length;
  const floats = (at: number) =>
    new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + count * 4));
  const tableAt = headEnd + count * 8;
  return {
    ...head,
    weights: floats(headEnd),
    scales: floats(headEnd + count * 4),
    table: new Int8Array(
      bytes.buffer.slice(bytes.byteOffset + tableAt, bytes.byteOffset + tableAt + count * head.dimensions),
    ),
  };
}

function bytesOf(array: Float32Array | Int8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
