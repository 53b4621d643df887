import { setTimeout as delay } from 'node:timers/promises';
import { plural, type Lease, type Leases } from '@service-mcp/core';
import type { IndexSource } from '../contract.js';
import type { Generations } from './index/generations.js';
import type { IndexCheck } from './index/health.js';
import { FOREIGN_INDEX } from './index/index-home.js';
import { takeIndexLease, type Turn } from './index/index-lease.js';
import type { Indexer } from './indexer.js';

interface RepairParts {
  readonly leases: Leases;
  readonly generations: Generations;
  readonly check: IndexCheck;
  readonly indexer: Indexer;
  readonly sources: readonly IndexSource[];
}

/**
 * Rebuilds the damaged indexes from SQL, each under its lease: a new generation, everything pending, and turns until
 * nothing is. A running service uses the new generation from its next query on; its indexer leaves the workspace to this
 * process until then.
 */
export async function rebuild(
  parts: RepairParts,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (await parts.check.isForeign()) return report(`nothing was repaired: ${FOREIGN_INDEX}`);
  const damaged = [...(await parts.check.damaged({ thorough: true })).keys()];
  for (const workspaceId of damaged) {
    await using lease = await awaitLease(parts.leases, workspaceId, signal);
    await rebuildOne(parts, { workspaceId, lease }, report, signal);
  }
  const left = (await parts.check.damaged({ thorough: true })).size;
  if (left > 0) throw new Error(`the indexes of ${plural(left, 'workspace')} are still damaged; see the log`);
  report(`the search indexes are built: ${plural(damaged.length, 'workspace')}`);
}

async function rebuildOne(
  { generations, indexer, sources }: RepairParts,
  turn: Turn,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId } = turn;
  const before = await generations.serving(workspaceId);
  const { generation } = await generations.raise(workspaceId);
  let waiting = 0;
  for (const source of sources) waiting += await source.requeue(workspaceId);
  report(
    `building generation ${String(generation)} of the index of workspace ${workspaceId} from ${String(waiting)} documents`,
  );
  let done = 0;
  // A document that failed comes back after its back-off, on the worker's time.
  for (let documents = 1; documents > 0;) {
    signal.throwIfAborted();
    if (!(await turn.lease.holds()))
      throw new Error('another process indexes the workspace now; run doctor --repair again');
    documents = await indexer.indexWorkspace(turn, signal);
    done += documents;
    if (documents > 0) report(`indexed ${String(Math.min(done, waiting))} of ${String(waiting)} documents`);
  }
  if (before) await generations.discard(before);
}

/** Another process holds the lease of an index for a few seconds of work at most. */
async function awaitLease(leases: Leases, workspaceId: string, signal: AbortSignal): Promise<Lease> {
  for (;;) {
    const lease = await takeIndexLease(leases, workspaceId);
    if (lease) return lease;
    await delay(50, undefined, { signal });
  }
}
