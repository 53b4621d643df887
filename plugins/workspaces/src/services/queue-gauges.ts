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
    /** A scrape tells of the process too: without the database it goes on, without this value. */
    const show = (
      facts: { readonly name: string; readonly help: string },
      labels: Readonly<Record<string, string>>,
      read: (waiting: ReturnType<Sql>) => Promise<number>,
    ): Gauge => {
      const gauge: Gauge = new Gauge({
        ...facts,
        labelNames: Object.keys(labels),
        registers: [metrics],
        async collect() {
          try {
            gauge.set(labels, await read(database.sql('files').whereRaw("indexing_status = 'pending'")));
          } catch (err) {
            gauge.remove(labels);
            log.warn({ err, metric: facts.name }, 'the queue of files could not be measured');
          }
        },
      });
      return gauge;
    };
    return {
      depth: show(
        {
          name: 'service_mcp_queue_depth',
          help: 'Records that wait to be indexed, removals from the index included',
        },
        { queue: 'files' },
        countRows,
      ),
      age: show(
        {
          name: 'service_mcp_index_age_seconds',
          help: 'How long that file has waited that waits longest to be indexed; 0 where none waits',
        },
        {},
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
