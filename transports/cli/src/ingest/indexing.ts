import { setTimeout as sleep } from 'node:timers/promises';
import { commandName } from '../command.js';
import type { Connection } from '../connection/connection.js';
import { duration, plural } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import type { Terminal } from '../terminal/terminal.js';

/** How the index of a project stands. */
export interface IndexStatus {
  readonly state: string;
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

export interface FailedFile {
  readonly path: string;
  readonly error: string | null;
}

const POLL_FIRST_MS = 100;
const POLL_LONGEST_MS = 1_000;
const STALLED_MS = 60_000;

export async function indexStatus(
  connection: Connection,
  projectId: string,
  signal: AbortSignal,
): Promise<IndexStatus> {
  const reply = await connection.call(
    'projects_index_status',
    { project_id: projectId },
    { signal, repeatable: true },
  );
  return reply as unknown as IndexStatus; // the shape that the tool declares
}

/** Waits until nothing is pending, showing how far it is. Says so once where it stands still for a minute. */
export async function waitForIndex(
  connection: Connection,
  projectId: string,
  context: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<IndexStatus> {
  const { terminal, signal } = context;
  let status = await indexStatus(connection, projectId, signal);
  if (status.pending === 0) return status;
  const total = status.pending;
  const meter = startMeter(terminal, { label: 'Indexing', unit: 'files', total });
  let moved = performance.now();
  let warned = false;
  try {
    for (let wait = POLL_FIRST_MS; status.pending > 0; wait = Math.min(wait * 1.5, POLL_LONGEST_MS)) {
      await sleep(wait, undefined, { signal });
      const next = await indexStatus(connection, projectId, signal);
      if (next.pending !== status.pending) moved = performance.now();
      const still = performance.now() - moved;
      if (still > STALLED_MS && !warned) {
        warned = true;
        terminal.warn(
          `indexing has stood still for ${duration(still)} with ${plural(next.pending, 'file')} waiting; ` +
            `see ${commandName()} doctor, or stop here (Ctrl-C): nothing is lost.`,
        );
      }
      status = next;
      meter.update({ done: Math.max(0, total - status.pending) });
    }
  } finally {
    meter.stop();
  }
  return status;
}

/** The first files that could not be indexed, with their reasons. */
export async function firstFailed(
  connection: Connection,
  projectId: string,
  signal: AbortSignal,
): Promise<readonly FailedFile[]> {
  const args = { project_id: projectId, indexing_status: 'failed', per_page: 5 };
  const reply = await connection.call('files_list', args, { signal, repeatable: true });
  return (reply['items'] as FailedFile[]).map(({ path, error }) => ({ path, error }));
}
