import { ServiceError } from '@service-mcp/core';

/** Runs at most `parallel` pieces of work at once; the others wait in order, and over `waiting` of them are refused. */
export function createGate(parallel: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: Array<() => void> = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) {
      if (queue.length >= waiting) {
        throw new ServiceError('UNAVAILABLE', 'Too many people log in at once. Try again in a few seconds.');
      }
      await new Promise<void>((resolve) => queue.push(resolve)); // whoever ends gives its place on
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
