import { analyzeImpact } from './analyze-impact.js';
import { findCallPaths } from './find-call-paths.js';
import { listCycles } from './list-cycles.js';
import { listSymbols } from './list-symbols.js';
import { listUnused } from './list-unused.js';
import { readDependencies } from './read-dependencies.js';
import { readOverview } from './read-overview.js';

/** The tools that query the graph of a project. */
export const queryTools = [
  readDependencies,
  analyzeImpact,
  findCallPaths,
  listSymbols,
  listCycles,
  listUnused,
  readOverview,
];
