/** The value below which the share `q` (0 to 1) of the sorted values lies; nearest rank. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('no values');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] as number;
}

export function median(values: readonly number[]): number {
  return (quantile(values, 0.5) + quantile(values, 0.500001)) / 2;
}
