import { threadId } from 'node:worker_threads';
import type { MissingModels, PrepareTask } from '@service-mcp/plugin-search/internals';

/** The entry point of a thread that answers with its number; it never answers about a document called `hanging`. */
export function prepareDocuments({ documents }: PrepareTask): MissingModels {
  if (documents.some(({ id }) => id === 'hanging'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { missing: [String(threadId)] };
}
