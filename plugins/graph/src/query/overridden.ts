import { membersOf, typesOfMethod } from './members.js';
import type { ProjectGraph } from './project-graph.js';
import { neighbours, type EdgeFilter } from './reach.js';
import { kindMask } from './rows.js';

const INHERITANCE: EdgeFilter = { kinds: kindMask(['extends', 'implements']), minConfidence: 0 };
/** Supertypes that are looked at for all methods of a graph. Further methods override nothing. */
const MAX_STEPS = 1_000_000;

/** Finds the methods of the nearest supertypes that a method overrides or implements. */
export function overriddenIn(graph: ProjectGraph): (method: number) => number[] {
  const known = new Map<number, Map<string, number[]>>();
  let steps = 0;

  function named(type: number, name: string): readonly number[] {
    let members = known.get(type);
    if (!members) {
      known.set(type, (members = new Map<string, number[]>()));
      for (const member of membersOf(graph, type)) {
        const symbol = graph.symbol(member);
        if (symbol.kind !== 'method') continue;
        const others = members.get(symbol.name);
        if (others) others.push(member);
        else members.set(symbol.name, [member]);
      }
    }
    return members.get(name) ?? [];
  }

  return (method) => {
    const { kind, name } = graph.symbol(method);
    if (kind !== 'method') return [];
    const own = typesOfMethod(graph, method);
    const types = new Set(own.flatMap((type) => neighbours(graph, type, 'out', INHERITANCE)));
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
