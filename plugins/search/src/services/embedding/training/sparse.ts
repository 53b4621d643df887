import type { PairCounts } from './pair-counts.js';

/** A symmetric matrix in compressed rows. */
export interface SparseMatrix {
  readonly size: number;
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** Exponent on context frequencies (Levy, Goldberg and Dagan, TACL 2015): rare contexts count less. */
const CONTEXT_SMOOTHING = 0.75;

/** Positive pointwise mutual information of the pairs, made symmetric by the mean of both directions. */
export function positiveMutualInformation(pairs: PairCounts, size: number): SparseMatrix {
  const totals = new Float64Array(size);
  pairs.each((a, b, weight) => {
    totals[a] = (totals[a] ?? 0) + weight;
    totals[b] = (totals[b] ?? 0) + weight;
  });
  let smoothed = 0;
  for (const total of totals) smoothed += total ** CONTEXT_SMOOTHING;
  const logs = totals.map((total) => (total > 0 ? Math.log(total) : 0));
  const half = (1 + CONTEXT_SMOOTHING) / 2;
  const information = (a: number, b: number, weight: number) =>
    Math.log(weight) - half * ((logs[a] ?? 0) + (logs[b] ?? 0)) + Math.log(smoothed);

  const counts = new Uint32Array(size + 1);
  pairs.each((a, b, weight) => {
    if (information(a, b, weight) <= 0) return;
    counts[a + 1] = (counts[a + 1] ?? 0) + 1;
    if (a !== b) counts[b + 1] = (counts[b + 1] ?? 0) + 1;
  });
  for (let i = 0; i < size; i++) counts[i + 1] = (counts[i + 1] ?? 0) + (counts[i] ?? 0);
  const filled = counts.slice(0, size);
  const columns = new Uint32Array(counts[size] ?? 0);
  const values = new Float32Array(columns.length);
  const put = (row: number, column: number, value: number) => {
    const at = filled[row] ?? 0;
    columns[at] = column;
    values[at] = value;
    filled[row] = at + 1;
  };
  pairs.each((a, b, weight) => {
    const value = information(a, b, weight);
    if (value <= 0) return;
    put(a, b, value);
    if (a !== b) put(b, a, value);
  });
  return { size, starts: counts, columns, values };
}
