import { BootError } from '../boot/boot-error.js';
import type { Metrics } from '../metrics.js';
import type { Database } from '../database.js';
import type { Clock } from '../services.js';
import type { WorkQueue, WorkQueues, WorkRow } from '../work.js';
import { openWorkQueue } from './work-queue.js';

type Waiting = Awaited<ReturnType<WorkQueue<WorkRow>['waiting']>>;

export interface OpenedQueues extends WorkQueues {
  /** Whether a queue over that table was opened. */
  has(table: string): boolean;
  refuseMissingTables(): Promise<void>;
}

/**
 * Opens queues and shows in the metrics how much waits in each. Every process tells the same, as a queue is one for all;
 * a scrape reads two small indexes a queue.
 */
export function createWorkQueues(parts: {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
}): OpenedQueues {
  const { clock, database, metrics } = parts;
  const queues = new Map<string, { readonly table: string; readonly opened: WorkQueue<WorkRow> }>();
  const show = (name: string, help: string, valueOf: (waiting: Waiting) => number): void =>
    metrics.gauge({
      name,
      help,
      labels: ['queue'],
      async read(set) {
        for (const [queue, { opened }] of queues) set(valueOf(await opened.waiting()), { queue });
      },
    });
  show(
    'service_mcp_queue_depth',
    'Records that wait to be indexed, removals from the index included',
    ({ rows }) => rows,
  );
  show(
    'service_mcp_queue_age_seconds',
    'How long the oldest change has waited to be indexed; 0 where none waits',
    ({ since }) => (since === undefined ? 0 : Math.max(0, clock.now().getTime() - Date.parse(since)) / 1000),
  );
  return {
    open<Row extends WorkRow>(queue: Parameters<WorkQueues['open']>[0]): WorkQueue<Row> {
      const { name, table } = queue;
      const known = queues.get(name) ?? { table, opened: openWorkQueue(parts, queue) };
      if (known.table !== table)
        throw new Error(`the work queue "${name}" is over the table ${known.table}, not over ${table}`);
      queues.set(name, known);
      return known.opened as WorkQueue<Row>; // the caller knows the columns of its table
    },
    has: (table) => [...queues.values()].some((queue) => queue.table === table),
    /** Throws BootError for a queue over a table that is not there: what works on all queues would fail with it. */
    async refuseMissingTables() {
      for (const [name, { table }] of queues) {
        if (await database.sql.schema.hasTable(table)) continue;
        throw new BootError(
          `work queue "${name}"`,
          `its table "${table}" does not exist`,
          'Correct the name of the table in the plugin, or list the migration that creates it in "migrations".',
        );
      }
    },
  };
}
