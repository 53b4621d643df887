import { setTimeout as delay } from 'node:timers/promises';
import type { IndexSource } from '../contract.js';
import type { Generations } from './index/generations.js';
import type { Indexer } from './indexer.js';

/** Lease of a running repair in SQL; indexers of other processes wait for its end. */
const HOLD_MS = 60_000;

/**
 * Rebuilds the index from SQL: a new generation, everything pending, and rounds until nothing is. A running service
 * uses the new generation from its next query on and leaves the indexing to this process.
 */
export async function rebuild(
  parts: {
    readonly generations: Generations;
    readonly indexer: Indexer;
    readonly sources: readonly IndexSource[];
  },
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { generations, indexer, sources } = parts;
  const before = await generations.read();
  await generations.hold(HOLD_MS);
  try {
    const { generation } = await generations.raise(HOLD_MS);
    let waiting = 0;
    for (const source of sources) waiting += await source.requeueAll();
    report(`building generation ${String(generation)} of the search index from ${String(waiting)} documents`);
    let done = 0;
    let quiet = 0;
    // A document that failed comes back after its back-off, on the worker's time.
    while (quiet < 2) {
      signal.throwIfAborted();
      await generations.hold(HOLD_MS);
      const { documents } = await indexer.round(signal, { repairing: true });
      done += documents;
      if (documents > 0) report(`indexed ${String(Math.min(done, waiting))} of ${String(waiting)} documents`);
      quiet = documents > 0 ? 0 : quiet + 1;
      if (quiet > 0) await delay(50, undefined, { signal });
    }
    if (before && before.generation !== generation) await generations.discard(before.generation);
    report(`the search index is built: generation ${String(generation)}`);
  } finally {
    await generations.hold(0);
  }
}
