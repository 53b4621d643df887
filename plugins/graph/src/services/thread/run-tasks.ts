import { getPriority, setPriority } from 'node:os';
import { resolveFiles } from '../../resolve/resolve-project.js';
import { createGraphTasks } from './graph-tasks.js';

/** Of the thread alone: a file is searchable before it is in the graph, whose resolution takes seconds of a large project. */
const PRIORITY = 7;
// Elsewhere it is that of the process; a lower one may not be raised.
if (process.platform === 'linux' && getPriority() < PRIORITY) setPriority(PRIORITY);

/** The module that the graph thread runs. */
export const { parseTexts, addStructures, resolve } = createGraphTasks(resolveFiles);
