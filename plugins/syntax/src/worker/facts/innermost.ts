import type { Range } from '../mark-declarations.js';

/**
 * Finds the innermost of nested ranges around an offset: its index, or null. `ranges` are ordered by start, outer
 * before inner. Offsets must ascend.
 */
export function innermost(ranges: readonly Range[]): (offset: number) => number | null {
  const open: number[] = [];
  let next = 0;
  return (offset) => {
    for (; next < ranges.length && (ranges[next] as Range).start <= offset; next += 1) open.push(next);
    while (open.length > 0 && (ranges[open.at(-1) as number] as Range).end <= offset) open.pop();
    return open.at(-1) ?? null;
  };
}
