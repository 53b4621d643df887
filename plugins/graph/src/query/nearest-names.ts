import { editDistance } from '@service-mcp/core';
import type { ProjectGraph } from './project-graph.js';

const MAX_SUGGESTIONS = 8;
/** Names that are compared by edit distance in one search. */
const MAX_COMPARED = 50_000;

/** Symbols with names similar to an unknown name, the nearest first. */
export function nearestNames(graph: ProjectGraph, wanted: string): number[] {
  const name = lastName(wanted).toLowerCase();
  if (name === '') return [];
  const limit = Math.max(1, Math.floor(name.length / 3));
  const found: Array<{ readonly node: number; readonly distance: number }> = [];
  let compared = 0;
  for (const [other, nodes] of graph.names()) {
    const known = other.toLowerCase();
    const near = known.includes(name) || (known.length > 3 && name.includes(known));
    const longer = Math.abs(known.length - name.length);
    if (!near && (longer > limit || compared++ >= MAX_COMPARED)) continue;
    const distance = near ? longer : editDistance(name, known, limit);
    if ((near || distance <= limit) && nodes[0] !== undefined) found.push({ node: nodes[0], distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || a.node - b.node)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ node }) => node);
}

/** `get` of `src/store.ts#Store.get~2`, `store.ts` of `src/store.ts`. */
function lastName(wanted: string): string {
  const tail =
    wanted
      .slice(0, 1000)
      .split(/[#/\\]/)
      .at(-1) ?? '';
  const isQualified = wanted.includes('#') || !/[/\\]/.test(wanted);
  return ((isQualified ? tail.split(/\.|::/).at(-1) : tail) ?? '').replace(/~\d+$/, '').slice(0, 100);
}
