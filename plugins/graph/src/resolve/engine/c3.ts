import type { Class } from '../declarations.js';

interface Item {
  readonly class: Class;
}

/**
 * Merges the linearizations of the supertypes of a class (C3). Absent where there is no consistent order.
 */
export function linearizeC3<T extends Item>(lists: readonly T[][]): T[] | undefined {
  const direct = lists.flatMap((list) => list.slice(0, 1));
  let rest = [...lists.map((list) => [...list]), direct];
  const result: T[] = [];
  for (;;) {
    rest = rest.filter((list) => list.length > 0);
    if (rest.length === 0) return result;
    const next = rest
      .map((list) => list[0])
      .find((head) => head && rest.every((list) => !list.slice(1).some((each) => each.class === head.class)));
    if (!next) return undefined;
    result.push(next);
    rest = rest.map((list) => (list[0]?.class === next.class ? list.slice(1) : list));
  }
}
