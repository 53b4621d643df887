import { setTimeout as delay } from 'node:timers/promises';
import type { IndexSource } from '../contract.js';
import type { Generations } from './index/generations.js';
import type { IndexCheck } from './index/health.js';
import type { Indexer } from './indexer.js';

/** Lease of a running repair in SQL; indexers of other processes wait for its end. */
const HOLD_MS = 60_000;

/**
 * Rebuilds the damaged indexes from SQL: for each workspace a new generation, everything pending, and rounds until nothing
 * is. A running service uses the new generation from its next query on and leaves the indexing to this process.
 */
export async function rebuild(
  parts: {
    readonly generations: Generations;
    readonly check: IndexCheck;
    readonly indexer: Indexer;
    readonly sources: readonly IndexSource[];
  },
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { generations, check, indexer, sources } = parts;
  await generations.hold(HOLD_MS);
  try {
    let waiting = 0;
    const former = [];
    for (const workspaceId of (await check.damaged()).keys()) {
      const before = await generations.serving(workspaceId);
      const { generation } = await generations.raise(workspaceId);
      let documents = 0;
      for (const source of sources) documents += await source.requeue(workspaceId);
      report(
        `building generation ${String(generation)} of the index of workspace ${workspaceId} from ${String(documents)} documents`,
      );
      waiting += documents;
      if (before) former.push(before);
    }
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
    for (const place of former) await generations.discard(place);
    const left = (await check.damaged()).size;
    if (left > 0) throw new Error(`the indexes of ${String(left)} workspaces are still damaged; see the log`);
    report(`the search indexes are built: ${String(former.length)} workspaces`);
  } finally {
    await generations.hold(0);
  }
}
