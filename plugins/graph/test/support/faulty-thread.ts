import type { ParsedTexts, ParseTask } from '@service-mcp/plugin-graph/internals';
import { parseTexts as parseReally } from './name-resolver.js';

export { addStructures, resolve } from './name-resolver.js';

/** The entry point of a thread that ends on a text named `crashes.go`. */
export function parseTexts(task: ParseTask): Promise<ParsedTexts> {
  if (task.texts.some(({ path }) => path.endsWith('crashes.go'))) process.exit(1);
  return parseReally(task);
}
