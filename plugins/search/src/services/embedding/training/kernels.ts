import { KERNELS } from '../../../generated/kernels.js';

// Neither the ES2024 library nor Node's types declare it.
declare const WebAssembly: {
  Memory: new (pages: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer;
  };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Exports };
};

type Loop = (...offsetsAndCounts: number[]) => void;
type Exports = Readonly<Record<'combine' | 'spread' | 'products' | 'gram' | 'adam', Loop>>;

/** A row, or a table of rows, in the memory of {@link Kernels}. */
export type Floats = Float32Array<ArrayBuffer>;

const PAGE = 64 * 1024;
/** Loads of vectors are faster where they do not cross the end of a cache line. */
const ALIGNMENT = 64;
/** Ids and weights handed to a loop at once. */
const SCRATCH = 4096;
const SCRATCH_BYTES = 2 * (4 * SCRATCH + ALIGNMENT);

/** Rows of this width can be handed to every loop. */
export function paddedWidth(width: number): number {
  return Math.ceil(width / 4) * 4;
}

/**
 * Loops over rows of 32-bit floats, by the vector instructions of WebAssembly: six to ten times as fast as in JavaScript, and
 * with the same result on every machine. All arrays of floats that they get must be made by `floats`; widths are
 * multiples of four.
 */
export class Kernels {
  readonly #buffer: ArrayBuffer;
  readonly #loops: Exports;
  readonly #ids: Uint32Array<ArrayBuffer>;
  readonly #weights: Floats;
  #used = 0;

  /** `counts`: the lengths of all arrays of floats that will be made. Its memory does not grow. */
  constructor(counts: readonly number[]) {
    const bytes = counts.reduce((sum, count) => sum + 4 * count + ALIGNMENT, SCRATCH_BYTES);
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const module = new WebAssembly.Module(Buffer.from(KERNELS, 'base64'));
    this.#loops = new WebAssembly.Instance(module, { env: { memory } }).exports;
    this.#buffer = memory.buffer;
    this.#ids = new Uint32Array(this.#buffer, this.#take(4 * SCRATCH), SCRATCH);
    this.#weights = this.floats(SCRATCH);
  }

  /** Zeros. */
  floats(length: number): Floats {
    return new Float32Array(this.#buffer, this.#take(4 * length), length);
  }

  #take(bytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return at;
  }

  /** Adds rows of a table to a row, each times its weight. */
  combine(row: Floats, table: Floats, ids: ArrayLike<number>, weights: ArrayLike<number>): void {
    this.#inParts(ids, weights, (idsAt, weightsAt, count) =>
      this.#loops.combine(row.byteOffset, table.byteOffset, idsAt, weightsAt, count, row.length),
    );
  }

  /** Adds a row to rows of a table, times the weight of each. */
  spread(table: Floats, ids: ArrayLike<number>, weights: ArrayLike<number>, row: Floats): void {
    this.#inParts(ids, weights, (idsAt, weightsAt, count) =>
      this.#loops.spread(table.byteOffset, idsAt, weightsAt, count, row.byteOffset, row.length),
    );
  }

  /** The products of a row and each of the first rows of a table, into `out`. */
  products(out: Floats, row: Floats, table: Floats): void {
    this.#loops.products(out.byteOffset, row.byteOffset, table.byteOffset, out.length, row.length);
  }

  /** Adds `leftᵀ * right`, tables of `rows` rows, to `out`, the floats of which are read as half as many of 64 bits. */
  gram(out: Floats, left: Floats, right: Floats, rows: number, width: number): Float64Array {
    this.#loops.gram(out.byteOffset, left.byteOffset, right.byteOffset, rows, width);
    return new Float64Array(this.#buffer, out.byteOffset, out.length / 2);
  }

  /** One step of Adam (Kingma and Ba, ICLR 2015; 0.9 and 0.999) for rows with a rate each; clears their gradients. */
  adam(
    tables: Readonly<Record<'rows' | 'means' | 'squares' | 'gradients', Floats>>,
    ids: ArrayLike<number>,
    rates: ArrayLike<number>,
    width: number,
  ): void {
    const { rows, means, squares, gradients } = tables;
    this.#inParts(ids, rates, (idsAt, ratesAt, count) =>
      this.#loops.adam(
        rows.byteOffset,
        means.byteOffset,
        squares.byteOffset,
        gradients.byteOffset,
        idsAt,
        ratesAt,
        count,
        width,
      ),
    );
  }

  #inParts(
    ids: ArrayLike<number>,
    weights: ArrayLike<number>,
    loop: (idsAt: number, weightsAt: number, count: number) => void,
  ): void {
    for (let from = 0; from < ids.length; from += SCRATCH) {
      const count = Math.min(SCRATCH, ids.length - from);
      for (let i = 0; i < count; i++) {
        this.#ids[i] = ids[from + i]!;
        this.#weights[i] = weights[from + i]!;
      }
      loop(this.#ids.byteOffset, this.#weights.byteOffset, count);
    }
  }
}
