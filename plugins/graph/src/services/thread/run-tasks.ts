import { resolveFiles } from '../../resolve/resolve-project.js';
import { createGraphTasks } from './graph-tasks.js';

/** The module that the graph thread runs. */
export const { parseTexts, addStructures, resolve } = createGraphTasks(resolveFiles);
