import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { THREAD_ARGUMENTS } from '@service-mcp/core';

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
    execArgv: THREAD_ARGUMENTS,
    minThreads: 0,
    ...options,
  });
}
