import { EDGE_KINDS, REASONS } from './file-part.js';
import type { ProjectGraph } from './project-graph.js';

const REFERENCES = EDGE_KINDS.indexOf('references');
const IMPORT = REASONS.indexOf('import');

/** True for an edge of a file that offers a symbol of another, or all its exports: `export * from './a'`. */
export function isOffer({ rows }: ProjectGraph, edge: number): boolean {
  return rows.kinds[edge] === REFERENCES && rows.reasons[edge] === IMPORT;
}

/** True for an edge of code that passes on an object of all exports of a file: `register(handlers)`. */
export function isPassedOn(graph: ProjectGraph, edge: number): boolean {
  const { rows } = graph;
  return rows.kinds[edge] === REFERENCES && !isOffer(graph, edge) && graph.isModule(rows.targets[edge]!);
}
