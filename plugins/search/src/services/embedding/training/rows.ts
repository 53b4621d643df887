/** The product of two rows of `width`, a multiple of four: four sums run in parallel, which is faster than one. */
export function dot(a: Float32Array, from: number, b: Float32Array, to: number, width: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let k = 0; k < width; k += 4) {
    first += a[from + k]! * b[to + k]!;
    second += a[from + k + 1]! * b[to + k + 1]!;
    third += a[from + k + 2]! * b[to + k + 2]!;
    fourth += a[from + k + 3]! * b[to + k + 3]!;
  }
  return first + second + third + fourth;
}

/** Adds a multiple of the row of `b` at `from` to the row of `a` at `to`. */
export function addScaled(
  a: Float32Array,
  to: number,
  b: Float32Array,
  from: number,
  factor: number,
  width: number,
): void {
  for (let k = 0; k < width; k++) a[to + k]! += factor * b[from + k]!;
}
