import { resolve as resolveReally } from './name-resolver.js';

export { addStructures, parseTexts } from './name-resolver.js';

/** How long a resolution takes at least, in milliseconds. */
export const RESOLVE_MS = 200;

/** The entry point of a thread that resolves as slowly as a large project is resolved. */
export function resolve(...task: Parameters<typeof resolveReally>): ReturnType<typeof resolveReally> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RESOLVE_MS);
  return resolveReally(...task);
}
