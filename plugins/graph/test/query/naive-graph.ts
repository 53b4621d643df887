import type { FileGraph } from '@service-mcp/plugin-graph/internals';

export interface NaiveEdge {
  readonly source: string;
  readonly target: string;
  readonly kind: string;
  readonly confidence: number;
}

/** The edges of a project by ids, as its files state them. */
export function naiveEdges(files: readonly FileGraph[]): NaiveEdge[] {
  const idOf = ({ path, symbols }: FileGraph, index: number) =>
    index === 0 ? path : `${path}#${symbols[index]?.qualifiedName}`;
  const ids = new Set(files.flatMap((file) => file.symbols.map((_, index) => idOf(file, index))));
  return files.flatMap((file) =>
    file.edges
      .filter(({ target }) => ids.has(target))
      .map(({ source, target, kind, confidence }) => ({
        source: idOf(file, source),
        target,
        kind,
        confidence,
      })),
  );
}

/** Distances from some symbols, by trying all edges again and again. */
export function naiveDistances(
  edges: readonly NaiveEdge[],
  roots: readonly string[],
  maxDepth: number,
): Map<string, number> {
  const distances = new Map(roots.map((root) => [root, 0]));
  for (let depth = 1; depth <= maxDepth; depth++) {
    const known = new Set(distances.keys());
    for (const { source, target } of edges)
      if (known.has(source) && !known.has(target)) distances.set(target, depth);
  }
  return distances;
}

/** Every simple path that starts at one of `from` and ends at the first of `to`, as ids. */
export function naivePaths(
  edges: readonly NaiveEdge[],
  from: readonly string[],
  to: readonly string[],
  maxDepth: number,
): string[][] {
  const found: string[][] = [];
  const extend = (path: readonly string[]) => {
    if (path.length > maxDepth) return;
    for (const { source, target } of edges) {
      if (source !== path.at(-1)) continue;
      if (to.includes(target)) found.push([...path, target]);
      else if (!path.includes(target) && !from.includes(target)) extend([...path, target]);
    }
  };
  for (const start of from) extend([start]);
  return found;
}

/** Turns edges round. */
export function reversed(edges: readonly NaiveEdge[]): NaiveEdge[] {
  return edges.map(({ source, target, ...edge }) => ({ source: target, target: source, ...edge }));
}
