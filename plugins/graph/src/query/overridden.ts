import type { ProjectGraph } from './project-graph.js';
import { neighbours, type EdgeFilter } from './reach.js';
import { kindMask } from './rows.js';

const INHERITANCE: EdgeFilter = { kinds: kindMask(['extends', 'implements']), minConfidence: 0 };
/** Supertypes that are looked at for all methods of a graph. Further methods override nothing. */
const MAX_STEPS = 1_000_000;

/** Finds the methods of the nearest supertypes that a method overrides or implements. */
export function overriddenIn(graph: ProjectGraph): (method: number) => number[] {
  const membersOf = new Map<number, Map<string, number[]>>();
  let steps = 0;

  function named(type: number, name: string): readonly number[] {
    let members = membersOf.get(type);
    if (!members) {
      membersOf.set(type, (members = new Map<string, number[]>()));
      for (const child of graph.children(type)) {
        const symbol = graph.symbol(child);
        if (symbol.kind !== 'method') continue;
        const known = members.get(symbol.name);
        if (known) known.push(child);
        else members.set(symbol.name, [child]);
      }
    }
    return members.get(name) ?? [];
  }

  return (method) => {
    const { kind, name } = graph.symbol(method);
    const type = graph.parents[method]!;
    if (kind !== 'method' || type < 0) return [];
    const types = new Set(neighbours(graph, type, 'out', INHERITANCE));
    const found: number[] = [];
    for (const each of types) {
      if (++steps > MAX_STEPS) break;
      const members = named(each, name);
      for (const member of members) found.push(member);
      if (members.length > 0) continue;
      for (const above of neighbours(graph, each, 'out', INHERITANCE)) types.add(above);
    }
    return found;
  };
}
