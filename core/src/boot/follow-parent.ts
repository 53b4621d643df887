import type { Events } from '../change-events.js';
import type { EventLog } from '../events/event-log.js';
import type { MetricsRegistry } from './metrics-registry.js';
import type { WorkerOrder, WorkerReport } from './worker-process.js';

/** How often a child process tells its state. */
const REPORT_MS = 500;

/**
 * In a child process: follows the service that started it. Events are announced both ways, and the service learns
 * whether there is work, and what counters gain. Does nothing in a process without a channel to a parent. Returns the end of it.
 */
export function followParent(
  events: Events & EventLog,
  metrics: Pick<MetricsRegistry, 'onGain'>,
  hasWork: () => Promise<boolean>,
): () => void {
  if (!process.connected) return () => undefined;
  const tell = (report: WorkerReport) => {
    if (process.connected) process.send?.(report, undefined, undefined, () => undefined); // else the parent has died
  };
  let isOrdered = false;
  const onOrder = ({ wake }: WorkerOrder) => {
    isOrdered = true;
    events.wake(...wake);
    isOrdered = false;
  };
  const unlisten = events.onAny((types) => {
    if (!isOrdered) tell({ kind: 'events', types });
  });
  metrics.onGain = (gain) => tell({ kind: 'gain', gain });
  let isAsking = false;
  const report = async () => {
    if (isAsking) return;
    isAsking = true;
    const busy = await hasWork().catch(() => true); // the database is away: wait for it
    tell({ kind: 'state', busy, memory: process.memoryUsage.rss() });
    isAsking = false;
  };
  process.on('message', onOrder);
  const timer = setInterval(() => void report(), REPORT_MS);
  void report();
  return () => {
    clearInterval(timer);
    unlisten();
    metrics.onGain = undefined;
    process.off('message', onOrder);
  };
}
