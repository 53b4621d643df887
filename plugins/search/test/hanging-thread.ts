import { prepareDocuments as prepareReally, type PrepareTask } from '@service-mcp/plugin-search/internals';

/** The entry point of a thread that never returns from a document called `hanging`. */
export function prepareDocuments(task: PrepareTask): ReturnType<typeof prepareReally> {
  if (task.documents.some(({ id }) => id === 'hanging'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return prepareReally(task);
}
