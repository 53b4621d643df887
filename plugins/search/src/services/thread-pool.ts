import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** Threads that run the exports of a module, made when there is work and ended when idle. */
export function threadPool<Task, Result>(
  module: URL,
  options: {
    readonly maxThreads: number;
    readonly idleTimeout: number;
    readonly env?: Record<string, string>;
    readonly resourceLimits?: ResourceLimits;
  },
): Piscina<Task, Result> {
  return new Piscina<Task, Result>({
    filename: module.href,
    // Else piscina loads the module by require(), and terminating the thread meanwhile ends the whole process (Node 20).
    execArgv: ['--no-experimental-require-module'],
    minThreads: 0,
    ...options,
  });
}
