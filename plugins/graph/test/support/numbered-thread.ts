import { threadId } from 'node:worker_threads';
import type { ParsedTexts } from '@service-mcp/plugin-graph/internals';

/** The entry point of a thread that says its number as the count of texts. */
export function parseTexts(): ParsedTexts {
  return { parsed: threadId, structures: new Map(), skipped: new Map(), spent: false };
}
