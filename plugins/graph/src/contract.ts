export type { EdgeKind, Reason } from './model.js';
export { CodeNeighbours, type CodeLines, type Neighbour } from './query/neighbours.js';
