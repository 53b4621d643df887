import { Gauge } from 'prom-client';
import { Clock, Database, Log, Metrics, countRows, provide, token, type Sql } from '@service-mcp/core';

const QueueGauges = token<object>('workspaces.QueueGauges');

/**
 * Shows in the metrics how much waits to be indexed. Every process tells the same, as the queue is one; each value is one
 * query over an index that holds what waits and nothing else.
 */
export const queueGauges = provide(QueueGauges, {
  uses: { database: Database, clock: Clock, metrics: Metrics, log: Log },
  create({ database, clock, metrics, log }) {
    const show = (name: string, help: string, read: (waiting: ReturnType<Sql>) => Promise<number>): Gauge => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers: [metrics],
        // A scrape tells of the process too: without the database it goes on, without these values.
        async collect() {
          try {
            const waiting = database.sql('files').whereRaw("indexing_status = 'pending'");
            gauge.set({ queue: 'files' }, await read(waiting));
          } catch (err) {
            gauge.reset();
            log.warn({ err, metric: name }, 'the queue of files could not be measured');
          }
        },
      });
      return gauge;
    };
    return {
      depth: show(
        'service_mcp_queue_depth',
        'Records that wait to be indexed, removals from the index included',
        countRows,
      ),
      age: show(
        'service_mcp_index_age_seconds',
        'How long that record has waited that waits longest to be indexed; 0 where none waits',
        async (waiting) => {
          // Not min(): for it, SQLite goes through everything that waits.
          const first = (await waiting.orderBy('pending_since').first('pending_since')) as
            | { pending_since: string }
            | undefined;
          if (!first) return 0;
          return Math.max(0, (clock.now().getTime() - Date.parse(first.pending_since)) / 1000);
        },
      ),
    };
  },
});
