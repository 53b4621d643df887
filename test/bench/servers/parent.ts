import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Processor microseconds of this process so far, and the most memory it ever held, in bytes. */
export interface Usage {
  readonly user: number;
  readonly system: number;
  readonly rss: number;
  readonly peakRss: number;
  /** Longest delay of the event loop so far, in milliseconds. */
  readonly longestStallMs: number;
  /** Indexing processes that run now. */
  readonly workers: number;
}

/** Tells the parent process where this one serves, answers each of its messages with a Usage, and ends when it lets go. */
export function serveParent(port: number, stop: () => unknown, countWorkers = () => 0): void {
  const send = process.send?.bind(process);
  if (!send) throw new Error('this module is started by the benchmark');
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', () => {
    const { userCPUTime: user, systemCPUTime: system, maxRSS } = process.resourceUsage();
    const longestStallMs = delays.max / 1e6;
    const rss = process.memoryUsage.rss();
    const workers = countWorkers();
    const usage: Usage = { user, system, rss, peakRss: maxRSS * 1024, longestStallMs, workers };
    send(usage);
  });
  process.on('disconnect', () => {
    void Promise.resolve(stop()).finally(() => process.exit(0));
  });
  send({ port });
}
