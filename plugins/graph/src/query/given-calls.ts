import { EDGE_KINDS, REASONS } from './file-part.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { reach, type EdgeFilter, type Reached } from './reach.js';

const CALLS = EDGE_KINDS.indexOf('calls');
const REFERENCES = EDGE_KINDS.indexOf('references');
const FLOW = REASONS.indexOf('flow');
/** A kind in marks that no filter asks for. */
const HIDDEN = 15 << 8;

/**
 * The users of some symbols, over up to `maxDepth` steps. A function that calls what it is given (`retry(save)`, the wrapper
 * that a decorator returns) is a user of that, but those that call it with other functions are not.
 */
export function reachUsers(
  graph: ProjectGraph,
  roots: readonly number[],
  filter: EdgeFilter,
  maxDepth: number,
): Reached {
  const given = givenCalls(graph);
  if (!given) return reach(graph, roots, 'in', filter, maxDepth);
  const reached = reach(graph, roots, 'in', filter, maxDepth, given.inMarks);
  const { rows } = graph;
  const callers = new Set<number>();
  for (const root of roots)
    for (const edge of rows.incoming.subarray(rows.in[root], rows.in[root + 1])) {
      const source = rows.sources[edge]!;
      if (given.edges[edge] !== 1 || reached.depths[source] !== 0) continue;
      if (((filter.kinds >> CALLS) & 1) === 1 && rows.confidences[edge]! >= filter.minConfidence)
        callers.add(source);
    }
  return callers.size > 0 ? withUsers(reached, [...callers]) : reached;
}

/** The same with further nodes one step away. */
function withUsers({ nodes, depths, levels }: Reached, users: readonly number[]): Reached {
  for (const user of users) depths[user] = 2;
  const at = levels[2] ?? nodes.length;
  const all = new Int32Array(nodes.length + users.length);
  all.set(nodes.subarray(0, at));
  all.set(users, at);
  all.set(nodes.subarray(at), at + users.length);
  const [first = 0, roots = 0, ...others] = levels;
  const ends = others.length > 0 ? others : [roots];
  return { nodes: all, depths, levels: [first, roots, ...ends.map((end) => end + users.length)] };
}

/**
 * Calls of functions that a function is given by its callers, 1 per edge: those of a line from which one is called that a
 * caller refers to where it calls the function. `inMarks`: those of the rows, without these calls.
 */
const givenCalls = perGraph(
  (graph): { readonly edges: Uint8Array; readonly inMarks: Uint16Array } | undefined => {
    const { rows, size } = graph;
    const flows = new Map<number, Map<number, number>>(); // the edges by target, of each source
    for (const [edge, reason] of rows.reasons.entries()) {
      if (reason !== FLOW || rows.kinds[edge] !== CALLS) continue;
      const source = rows.sources[edge]!;
      const known = flows.get(source);
      if (known) known.set(rows.targets[edge]!, edge);
      else flows.set(source, new Map([[rows.targets[edge]!, edge]]));
    }
    const edges = new Uint8Array(rows.targets.length);
    const lines = new Set<string>();
    for (let node = 0; node < size; node++) {
      const own = rangeOf(rows.out[node]!, rows.out[node + 1]!);
      const calls = own.filter((edge) => rows.kinds[edge] === CALLS && flows.has(rows.targets[edge]!));
      if (calls.length === 0) continue;
      const references = new Map<number, number[]>(); // by line
      for (const edge of own) {
        if (rows.kinds[edge] !== REFERENCES) continue;
        const known = references.get(rows.lines[edge]!);
        if (known) known.push(rows.targets[edge]!);
        else references.set(rows.lines[edge]!, [rows.targets[edge]!]);
      }
      for (const call of calls) {
        const called = rows.targets[call]!;
        for (const target of references.get(rows.lines[call]!) ?? []) {
          const edge = target === called ? undefined : flows.get(called)?.get(target);
          if (edge !== undefined) lines.add(`${called}:${rows.lines[edge]}`);
        }
      }
    }
    if (lines.size === 0) return undefined;
    for (const [source, targets] of flows)
      for (const edge of targets.values()) if (lines.has(`${source}:${rows.lines[edge]}`)) edges[edge] = 1;
    const inMarks = rows.inMarks.map((mark, i) => (edges[rows.incoming[i]!] === 1 ? HIDDEN : mark));
    return { edges, inMarks };
  },
);

function rangeOf(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
