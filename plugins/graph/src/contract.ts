export type { EdgeKind, Reason } from './model.js';
export { CodeFactsReader, type CodeFacts, type FileLinks, type SymbolImpact } from './query/code-facts.js';
export { CodeNeighbours, type CodeLines, type Neighbour } from './query/neighbours.js';
export { RISK_LEVELS, type RiskLevel } from './query/risk.js';
export type { SymbolView } from './query/symbol-view.js';
