import { Gauge, type Registry } from 'prom-client';
import type { Clock, Database, Log } from '../services.js';
import type { WorkQueue, WorkQueues, WorkRow } from '../work.js';
import { openWorkQueue } from './work-queue.js';

type Waiting = Awaited<ReturnType<WorkQueue<WorkRow>['waiting']>>;

/**
 * Opens queues and shows in the metrics how much waits in each. Every process tells the same, as a queue is one for all;
 * a scrape reads two small indexes a queue.
 */
export function createWorkQueues(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Registry;
}): WorkQueues {
  const { clock, log, metrics } = parts;
  const queues = new Map<string, WorkQueue<WorkRow>>();
  /** A scrape reports on the process too: without the database it goes on, without these values. */
  const show = (name: string, help: string, valueOf: (waiting: Waiting) => number): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [metrics],
      async collect() {
        for (const [queue, opened] of queues) {
          try {
            gauge.set({ queue }, valueOf(await opened.waiting()));
          } catch (err) {
            gauge.remove({ queue });
            log.warn({ err, queue, metric: name }, 'a work queue could not be measured');
          }
        }
      },
    });
  };
  show(
    'service_mcp_queue_depth',
    'Records that wait to be indexed, removals from the index included',
    ({ rows }) => rows,
  );
  show(
    'service_mcp_queue_age_seconds',
    'How long the oldest row has waited to be indexed; 0 where none waits',
    ({ since }) => (since === undefined ? 0 : Math.max(0, clock.now().getTime() - Date.parse(since)) / 1000),
  );
  return {
    open<Row extends WorkRow>(queue: Parameters<WorkQueues['open']>[0]): WorkQueue<Row> {
      const opened = openWorkQueue<Row>(parts, queue);
      queues.set(queue.name, opened);
      return opened;
    },
  };
}
