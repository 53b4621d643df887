// Dense matrices of a few hundred rows, row by row.

/** The lower triangle whose product with its transpose is the matrix, which must be symmetric and positive. */
export function cholesky(matrix: Float64Array, width: number): Float64Array {
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

/** The inverse of a lower triangle. */
export function inverseOf(lower: Float64Array, width: number): Float64Array {
  const inverse = new Float64Array(width * width);
  for (let column = 0; column < width; column++) {
    inverse[column * width + column] = 1 / lower[column * width + column]!;
    for (let i = column + 1; i < width; i++) {
      let sum = 0;
      for (let k = column; k < i; k++) sum -= lower[i * width + k]! * inverse[k * width + column]!;
      inverse[i * width + column] = sum / lower[i * width + i]!;
    }
  }
  return inverse;
}

/** Eigenvalues, and eigenvectors in columns, of a symmetric matrix by cyclic Jacobi rotations. */
export function jacobi(matrix: Float64Array, width: number): { values: Float64Array; vectors: Float64Array } {
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
