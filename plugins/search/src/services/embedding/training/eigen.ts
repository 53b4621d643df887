import { Kernels, paddedWidth, type Floats } from './kernels.js';
import { randomFrom } from './random.js';
import type { SparseMatrix } from './sparse.js';
import { cholesky, inverseOf, jacobi } from './small-matrices.js';

/** Extra directions carried along, which sharpen the wanted ones. */
const OVERSAMPLING = 16;
const ROUNDS = 4;

/**
 * The strongest eigenvectors of a symmetric sparse matrix by randomised subspace iteration (Halko, Martinsson and
 * Tropp, SIAM Review 2011): rows of `stride` entries, of which
 * `rank` are used, each column scaled by |eigenvalue| to the power of `power`.
 */
export function strongestEigenvectors(
  matrix: SparseMatrix,
  options: { readonly rank: number; readonly stride: number; readonly power: number },
): Float32Array {
  const { size } = matrix;
  const { rank, stride, power } = options;
  const width = Math.min(size, rank + OVERSAMPLING);
  const work = new Subspace(size, width);
  const random = randomFrom(size);
  work.fill(() => random() - 0.5);
  for (let round = 0; round < ROUNDS; round++) {
    work.multiply(matrix);
    work.swap();
    work.orthonormalise();
  }
  work.multiply(matrix);
  const { values, vectors } = jacobi(work.gramWithProduct(), width);
  const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b] ?? 0) - Math.abs(values[a] ?? 0));
  const turned = new Float64Array(width * width);
  order.slice(0, rank).forEach((from, column) => {
    const scale = Math.abs(values[from] ?? 0) ** power;
    for (let k = 0; k < width; k++) turned[k * width + column] = vectors[k * width + from]! * scale;
  });
  work.transform(turned);
  const result = new Float32Array(size * stride);
  for (let row = 0; row < size; row++) result.set(work.row(row).subarray(0, rank), row * stride);
  return result;
}

/** A block of `size` rows and `width` columns, and room for its product with a matrix. Rows are padded with zeros. */
class Subspace {
  readonly #size: number;
  readonly #width: number;
  readonly #padded: number;
  readonly #kernels: Kernels;
  readonly #small: Floats;
  readonly #square: Floats;
  readonly #row: Floats;
  readonly #columns: Uint32Array;
  #block: Floats;
  #product: Floats;

  constructor(size: number, width: number) {
    this.#size = size;
    this.#width = width;
    const padded = paddedWidth(width);
    this.#padded = padded;
    const [block, square] = [size * padded, padded * padded];
    const kernels = new Kernels([block, block, square, 2 * square, padded]);
    this.#kernels = kernels;
    this.#block = kernels.floats(block);
    this.#product = kernels.floats(block);
    this.#small = kernels.floats(square);
    this.#square = kernels.floats(2 * square);
    this.#row = kernels.floats(padded);
    this.#columns = Uint32Array.from({ length: width }, (_, k) => k);
  }

  row(at: number): Floats {
    return this.#block.subarray(at * this.#padded, (at + 1) * this.#padded);
  }

  fill(value: () => number): void {
    for (let row = 0; row < this.#size; row++) {
      const at = row * this.#padded;
      for (let k = 0; k < this.#width; k++) this.#block[at + k] = value();
    }
  }

  /** The product of a matrix and the block. */
  multiply({ starts, columns, values }: SparseMatrix): void {
    this.#product.fill(0);
    for (let row = 0; row < this.#size; row++) {
      const [from, to] = [starts[row] ?? 0, starts[row + 1] ?? 0];
      const out = this.#product.subarray(row * this.#padded, (row + 1) * this.#padded);
      this.#kernels.combine(out, this.#block, columns.subarray(from, to), values.subarray(from, to));
    }
  }

  /** The product becomes the block. */
  swap(): void {
    [this.#block, this.#product] = [this.#product, this.#block];
  }

  gramWithProduct(): Float64Array {
    return this.#gram(this.#block, this.#product);
  }

  /** Makes the columns orthonormal by Cholesky QR, twice for accuracy. */
  orthonormalise(): void {
    for (let pass = 0; pass < 2; pass++) {
      const lower = cholesky(this.#gram(this.#block, this.#block), this.#width);
      const inverse = inverseOf(lower, this.#width);
      const transposed = new Float64Array(inverse.length);
      for (let i = 0; i < this.#width; i++)
        for (let j = 0; j <= i; j++) transposed[j * this.#width + i] = inverse[i * this.#width + j]!;
      this.transform(transposed);
    }
  }

  /** Multiplies the block by a small matrix from the right. */
  transform(matrix: Float64Array): void {
    const [width, padded] = [this.#width, this.#padded];
    this.#small.fill(0);
    for (let i = 0; i < width; i++) this.#small.set(matrix.subarray(i * width, (i + 1) * width), i * padded);
    for (let at = 0; at < this.#size; at++) {
      const row = this.row(at);
      this.#row.fill(0);
      this.#kernels.combine(this.#row, this.#small, this.#columns, row);
      row.set(this.#row);
    }
  }

  /** `leftᵀ * right`, width by width. */
  #gram(left: Floats, right: Floats): Float64Array {
    this.#square.fill(0);
    const found = this.#kernels.gram(this.#square, left, right, this.#size, this.#padded);
    const product = new Float64Array(this.#width * this.#width);
    for (let i = 0; i < this.#width; i++)
      product.set(found.subarray(i * this.#padded, i * this.#padded + this.#width), i * this.#width);
    return product;
  }
}
