import { perGraph } from './per-graph.js';

const VARIED: ReadonlySet<string> = new Set(['function', 'method', 'class', 'interface', 'type']);

/**
 * Symbols of Go that have one name in several files of a folder: declarations for different builds, of which a call leads to
 * one. Each list is given for each of its nodes.
 */
export const buildVariants = perGraph((graph): ReadonlyMap<number, readonly number[]> => {
  const byName = new Map<string, number[]>();
  for (const [index, { path, symbols }] of graph.parts.entries()) {
    if (!path.endsWith('.go')) continue;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    for (const [i, { kind, qualifiedName }] of symbols.entries()) {
      if (!VARIED.has(kind)) continue;
      const name = `${folder}#${qualifiedName}`;
      const nodes = byName.get(name);
      if (nodes) nodes.push(graph.starts[index]! + i);
      else byName.set(name, [graph.starts[index]! + i]);
    }
  }
  const variants = new Map<number, readonly number[]>();
  for (const nodes of byName.values())
    if (nodes.length > 1) for (const node of nodes) variants.set(node, nodes);
  return variants;
});
