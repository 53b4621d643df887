import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Item, Result } from '../connection/connection.js';
import { readiness } from '../connection/http.js';
import { commandName } from '../command-name.js';
import { Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { count, duration, plural, printable } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';

/** The state of a project's index. */
export type IndexStatus = Result<'projects_index_status'>;
export type FailedFile = Pick<Item<'files_list'>, 'path' | 'error'>;

const MIN_POLL_MS = 100;
const MAX_POLL_MS = 1_000;
/** A code graph of thousands of files is resolved in one step of up to a minute, once they are searchable. */
const STALLED_MS = 15_000;
/** The same where the service reports no trouble: a batch of large files takes a while on a busy machine. */
const HEALTHY_STALLED_MS = 60_000;
const LAST_STEP_STALLED_MS = 90_000;
const DEGRADED_MS = 2_000;

export function indexStatus(connection: Connection, projectId: string): Promise<IndexStatus> {
  return connection.call(
    'projects_index_status',
    { project_id: projectId, by_step: true },
    { repeatable: true },
  );
}

/**
 * Waits until nothing is pending and shows the progress. Warns once, with the reason, where it stands still. A Failure of
 * who stops it says what becomes of the rest.
 */
export async function waitForIndex(
  connection: Connection,
  projectId: string,
  invocation: Invocation,
): Promise<IndexStatus> {
  let last: IndexStatus | undefined;
  const read = async () => (last = await indexStatus(connection, projectId));
  try {
    return await followIndex(read, connection, invocation);
  } catch (thrown) {
    if (!invocation.signal.aborted) throw thrown;
    const message = `Stopped. Everything is sent; ${outlook(last, connection)}.`;
    throw new Failure(message, { cause: thrown });
  }
}

function outlook(status: IndexStatus | undefined, { url, target }: Connection): string {
  if (status?.state === 'degraded')
    return `nothing of it is indexed while the search index takes no files: see ${commandName()} doctor${target}`;
  return url === undefined
    ? 'ingest or serve indexes the rest when it runs next'
    : 'the service goes on to index it';
}

async function followIndex(
  read: () => Promise<IndexStatus>,
  connection: Connection,
  { terminal, signal }: Invocation,
): Promise<IndexStatus> {
  let status = await read();
  if (status.pending === 0) return status;
  const total = status.pending;
  const meter = startMeter(terminal, { label: 'Indexing', unit: 'files', total });
  let moved = performance.now();
  let warned = false;
  try {
    for (let wait = MIN_POLL_MS; status.pending > 0; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
      await sleep(wait, undefined, { signal });
      const next = await read();
      const { done, amount } = progress(next, total);
      if (done !== progress(status, total).done) moved = performance.now();
      const still = performance.now() - moved;
      if (still > patience(next) && !warned) {
        const reasons = await troubles(connection, signal);
        warned = reasons !== '' || still > HEALTHY_STALLED_MS;
        if (warned)
          terminal.warn(
            `indexing has made no progress for ${duration(still)}, with ${plural(next.pending, 'file')} waiting; ` +
              `${reasons}see ${commandName()} doctor${connection.target}, or stop here (Ctrl-C): nothing is lost.`,
          );
      }
      status = next;
      meter.update(done, { amount });
    }
  } finally {
    meter.stop();
  }
  return status;
}

/** How long a state may last before it is odd. A damaged index takes no files until it is repaired. */
function patience({ state, waiting_for = {} }: IndexStatus): number {
  if (state === 'degraded') return DEGRADED_MS;
  return Object.values(waiting_for).includes(0) ? LAST_STEP_STALLED_MS : STALLED_MS;
}

/**
 * How far `total` files are, as the mean of what they wait for: a code graph is written in few large steps, long after the
 * first files are searchable.
 */
export function progress(
  { pending, waiting_for = {} }: Pick<IndexStatus, 'pending' | 'waiting_for'>,
  total: number,
): { readonly done: number; readonly amount: string } {
  const doneOf = (waiting: number) => Math.max(0, total - waiting);
  const steps = Object.entries(waiting_for).map(([name, waiting]) => ({ name, done: doneOf(waiting) }));
  const of = plural(total, 'file');
  if (steps.length < 2) return { done: doneOf(pending), amount: `${count(doneOf(pending))}/${of}` };
  return {
    done: steps.reduce((sum, { done }) => sum + done, 0) / steps.length,
    amount: `${steps.map(({ name, done }) => `${name} ${count(done)}`).join(', ')} of ${of}`,
  };
}

/** What the service says is wrong with it. */
async function troubles({ url }: Connection, signal: AbortSignal): Promise<string> {
  const { checks } = url === undefined ? { checks: [] } : await readiness(url, signal);
  const found = checks.filter(({ status }) => status !== 'ok');
  return found
    .map(({ name, message, remedy }) => `${name}: ${message}${remedy === undefined ? '' : ` (${remedy})`}; `)
    .map(printable)
    .join('');
}

/** The first five files that could not be indexed, with their reasons. */
export async function firstFailed(connection: Connection, projectId: string): Promise<readonly FailedFile[]> {
  const args = { project_id: projectId, indexing_status: 'failed' as const, per_page: 5 };
  const { items } = await connection.call('files_list', args, { repeatable: true });
  return items.map(({ path, error }) => ({ path, error }));
}
