type Apart = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Sets of records that say the same, each in order of id, which is that of time. Two records that were kept apart are
 * never in one set: a pair that would bring them together waits until the others are settled.
 */
export function groupDuplicates(
  pairs: ReadonlyArray<readonly [string, string]>,
  apart: Apart,
): readonly string[][] {
  const sets = new Map<string, Set<string>>();
  for (const [a, b] of pairs) {
    const [one, other] = [setOf(sets, a), setOf(sets, b)];
    if (one === other) continue;
    const [small, large] = one.size < other.size ? [one, other] : [other, one];
    if (areApart(small, large, apart)) continue;
    for (const id of small) {
      large.add(id);
      sets.set(id, large);
    }
  }
  return [...new Set(sets.values())]
    .filter(({ size }) => size > 1)
    .map((set) => [...set].sort())
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function setOf(sets: Map<string, Set<string>>, id: string): Set<string> {
  const found = sets.get(id) ?? new Set([id]);
  sets.set(id, found);
  return found;
}

function areApart(small: ReadonlySet<string>, large: ReadonlySet<string>, apart: Apart): boolean {
  for (const id of small) for (const other of apart.get(id) ?? []) if (large.has(other)) return true;
  return false;
}
