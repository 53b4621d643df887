import { cyclesThrough } from './cycles.js';
import { externalModules } from './externals.js';
import type { EDGE_KINDS } from './file-part.js';
import { reachUsers } from './given-calls.js';
import type { ProjectGraph } from './project-graph.js';
import { nearest, totalsOf, type Found, type Totals } from './ranked.js';
import { reach, type EdgeFilter } from './reach.js';
import { kindMask } from './rows.js';
import { callsThatMayUse, unresolvedIn } from './unresolved.js';

export interface DependencyRequest {
  readonly direction: 'in' | 'out' | 'both';
  readonly maxDepth: number;
  /** Default: all but `contains`. */
  readonly kinds?: ReadonlyArray<(typeof EDGE_KINDS)[number]> | undefined;
  /** 0 to 1. */
  readonly minConfidence: number;
  /** For each direction. */
  readonly limit: number;
}

export interface Dependencies {
  readonly dependencies: readonly Found[];
  readonly dependents: readonly Found[];
  readonly totals: { readonly out?: Totals; readonly in?: Totals };
  readonly cycles: readonly number[][];
  /** Modules outside the project. */
  readonly external: readonly string[];
  /** Calls with an unknown target: those in the target, and those that may use it. */
  readonly unresolved: number;
  readonly truncated: boolean;
}

const ALL = kindMask(['imports', 'calls', 'references', 'extends', 'implements']);

/** What a symbol depends on, and what depends on it. What is inside it counts as the symbol itself. */
export function dependenciesOf(
  graph: ProjectGraph,
  target: number,
  request: DependencyRequest,
): Dependencies {
  const { direction, maxDepth, limit } = request;
  const filter: EdgeFilter = {
    kinds: request.kinds ? kindMask(request.kinds) : ALL,
    minConfidence: Math.round(request.minConfidence * 100),
  };
  const whole = graph.contents(target);
  const roots = request.kinds?.includes('contains') ? [target] : whole;
  const outward = direction === 'in' ? undefined : reach(graph, roots, 'out', filter, maxDepth);
  const inward = direction === 'out' ? undefined : reachUsers(graph, roots, filter, maxDepth);
  const totals = {
    ...(outward && { out: totalsOf(graph, outward) }),
    ...(inward && { in: totalsOf(graph, inward) }),
  };
  const using = outward
    ? outward.nodes.subarray(0, outward.levels[Math.min(maxDepth, outward.levels.length - 1)])
    : [];
  return {
    dependencies: outward ? nearest(graph, outward, 'out', filter, limit) : [],
    dependents: inward ? nearest(graph, inward, 'in', filter, limit) : [],
    totals,
    cycles: cyclesThrough(graph, target),
    external: externalModules(graph, using),
    unresolved:
      (outward ? unresolvedIn(graph, whole) : 0) + (inward ? callsThatMayUse(graph, whole).count : 0),
    truncated: Math.max(totals.out?.total ?? 0, totals.in?.total ?? 0) > limit,
  };
}
