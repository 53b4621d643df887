import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'type', 'enum']);

/** Which type the methods of a graph belong to. */
interface Owners {
  /** The types of methods that are declared outside them. */
  readonly typesOf: ReadonlyMap<number, readonly number[]>;
  /** The methods that are declared outside their types, by type. */
  readonly methodsOf: ReadonlyMap<number, readonly number[]>;
}

const NONE: readonly number[] = [];

/** The types that a method is a member of: one, but for the variants of a type of Go. */
export function typesOfMethod(graph: ProjectGraph, method: number): readonly number[] {
  const parent = graph.parents[method]!;
  if (parent >= 0 && TYPES.has(graph.symbol(parent).kind)) return [parent];
  return ownersOf(graph).typesOf.get(method) ?? NONE;
}

/** The methods of a type that are declared outside it. */
export function methodsOutside(graph: ProjectGraph, type: number): readonly number[] {
  return ownersOf(graph).methodsOf.get(type) ?? NONE;
}

/** The symbols that are declared directly in a type, and its methods that are declared outside it. */
export function membersOf(graph: ProjectGraph, type: number): Iterable<number> {
  const outside = methodsOutside(graph, type);
  const inside = graph.children(type);
  return outside.length > 0 ? [...inside, ...outside] : inside;
}

/** Methods with a type around their name, and not around their text: in the same file, in Go in any file of the package. */
const ownersOf = perGraph((graph): Owners => {
  const types = new Map<string, number[]>();
  const methods: Array<{ readonly node: number; readonly type: string }> = [];
  for (const [index, { language, path, symbols }] of graph.parts.entries()) {
    const start = graph.starts[index]!;
    const place = language === 'go' ? path.slice(0, path.lastIndexOf('/') + 1) : path;
    for (const [i, { kind, name, qualifiedName }] of symbols.entries()) {
      const node = start + i;
      if (TYPES.has(kind)) {
        const key = `${place}#${qualifiedName}`;
        const known = types.get(key);
        if (known) known.push(node);
        else types.set(key, [node]);
      } else if (kind === 'method' && !TYPES.has(graph.symbol(graph.parents[node]!).kind)) {
        const known = qualifiedName.lastIndexOf(`.${name}`);
        if (known > 0) methods.push({ node, type: `${place}#${qualifiedName.slice(0, known)}` });
      }
    }
  }
  const typesOf = new Map<number, readonly number[]>();
  const methodsOf = new Map<number, number[]>();
  for (const { node, type } of methods) {
    const named = types.get(type) ?? [];
    const near = named.filter((each) => graph.partOf[each] === graph.partOf[node]);
    const owners = near.length > 0 ? near : named;
    if (owners.length > 0) typesOf.set(node, owners);
    for (const owner of owners) {
      const known = methodsOf.get(owner);
      if (known) known.push(node);
      else methodsOf.set(owner, [node]);
    }
  }
  return { typesOf, methodsOf };
});
