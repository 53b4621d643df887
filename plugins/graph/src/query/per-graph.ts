import type { ProjectGraph } from './project-graph.js';

/** Computes a value once for each graph, and drops it with the graph. */
export function perGraph<T>(compute: (graph: ProjectGraph) => T): (graph: ProjectGraph) => T {
  const values = new WeakMap<ProjectGraph, { readonly value: T }>();
  return (graph) => {
    let known = values.get(graph);
    if (!known) values.set(graph, (known = { value: compute(graph) }));
    return known.value;
  };
}
