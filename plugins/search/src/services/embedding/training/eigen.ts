import { randomFrom } from './random.js';
import { multiply, type SparseMatrix } from './sparse.js';

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
  const random = randomFrom(size);
  let block: Float32Array = Float32Array.from({ length: size * width }, () => random() - 0.5);
  let next: Float32Array = new Float32Array(size * width);
  for (let round = 0; round < ROUNDS; round++) {
    multiply(matrix, block, width, next);
    orthonormalise(next, size, width);
    [block, next] = [next, block];
  }
  multiply(matrix, block, width, next);
  const small = gram(block, next, size, width);
  const { values, vectors } = jacobi(small, width);
  const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b] ?? 0) - Math.abs(values[a] ?? 0));
  const result = new Float32Array(size * stride);
  order.slice(0, rank).forEach((from, column) => {
    const scale = Math.abs(values[from] ?? 0) ** power;
    for (let row = 0; row < size; row++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += block[row * width + k]! * vectors[k * width + from]!;
      result[row * stride + column] = sum * scale;
    }
  });
  return result;
}

/** `leftᵀ * right`, width by width. */
function gram(left: Float32Array, right: Float32Array, size: number, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let row = 0; row < size; row++) {
    const at = row * width;
    for (let i = 0; i < width; i++) {
      const value = left[at + i]!;
      if (value === 0) continue;
      for (let j = 0; j < width; j++) product[i * width + j]! += value * right[at + j]!;
    }
  }
  return product;
}

/** Orthonormal columns by Cholesky QR, twice for accuracy. */
function orthonormalise(block: Float32Array, size: number, width: number): void {
  for (let pass = 0; pass < 2; pass++) {
    const lower = cholesky(gram(block, block, size, width), width);
    for (let row = 0; row < size; row++) {
      const at = row * width;
      for (let i = 0; i < width; i++) {
        let value = block[at + i]!;
        for (let j = 0; j < i; j++) value -= lower[i * width + j]! * block[at + j]!;
        block[at + i] = value / lower[i * width + i]!;
      }
    }
  }
}

function cholesky(matrix: Float64Array, width: number): Float64Array {
  const lower = new Float64Array(width * width);
  let trace = 0;
  for (let i = 0; i < width; i++) trace += matrix[i * width + i]!;
  const ridge = 1e-12 * trace + 1e-300;
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j]!;
      for (let k = 0; k < j; k++) sum -= lower[i * width + k]! * lower[j * width + k]!;
      if (i === j) lower[i * width + i] = Math.sqrt(Math.max(sum, 0) + ridge);
      else lower[i * width + j] = sum / lower[j * width + j]!;
    }
  }
  return lower;
}

/** Eigenvalues, and eigenvectors in columns, of a small symmetric matrix by cyclic Jacobi rotations. */
function jacobi(matrix: Float64Array, width: number): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice();
  const vectors = new Float64Array(width * width);
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < width * width; i++) {
      all += a[i]! ** 2;
      if (i % (width + 1) !== 0) off += a[i]! ** 2;
    }
    if (off <= 1e-12 * all) break;
    for (let p = 0; p < width - 1; p++) for (let q = p + 1; q < width; q++) rotate(a, vectors, width, p, q);
  }
  return { values: Float64Array.from({ length: width }, (_, i) => a[i * width + i]!), vectors };
}

function rotate(a: Float64Array, vectors: Float64Array, width: number, p: number, q: number): void {
  const off = (a[p * width + q]! + a[q * width + p]!) / 2;
  if (off === 0) return;
  const theta = (a[q * width + q]! - a[p * width + p]!) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < width; k++) {
    const kp = a[k * width + p]!;
    const kq = a[k * width + q]!;
    a[k * width + p] = c * kp - s * kq;
    a[k * width + q] = s * kp + c * kq;
  }
  for (let k = 0; k < width; k++) {
    const pk = a[p * width + k]!;
    const qk = a[q * width + k]!;
    a[p * width + k] = c * pk - s * qk;
    a[q * width + k] = s * pk + c * qk;
    const vp = vectors[k * width + p]!;
    const vq = vectors[k * width + q]!;
    vectors[k * width + p] = c * vp - s * vq;
    vectors[k * width + q] = s * vp + c * vq;
  }
}
