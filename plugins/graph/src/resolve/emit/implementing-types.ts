import type { Class } from '../declarations.js';
import type { Unit } from '../program.js';
import type { Hierarchy } from './hierarchy.js';

/** An edge of a type of a file. */
export interface Implementing {
  readonly source: number;
  readonly target: string;
  readonly line: number;
}

/** Edges to interfaces that types implement without saying so, by the file of the type. */
export function implementingTypes(
  units: Iterable<Unit>,
  hierarchy: Hierarchy,
  idOf: (each: Class) => string | undefined,
): ReadonlyMap<Unit, readonly Implementing[]> {
  const found = new Map<Unit, Implementing[]>();
  for (const container of [...units].flatMap(({ classes }) => classes)) {
    if (!container.unit.rules.structuralInterfaces || container.code.form !== 'interface') continue;
    // Also of those without a symbol: a file may name only so many, whichever are asked for first.
    const implementers = hierarchy.implementersOf(container);
    const target = idOf(container);
    if (target === undefined) continue;
    for (const { unit, symbol, code } of implementers) {
      if (symbol === undefined) continue;
      const edge = { source: symbol + 1, target, line: code.line };
      const known = found.get(unit);
      if (known) known.push(edge);
      else found.set(unit, [edge]);
    }
  }
  return found;
}
