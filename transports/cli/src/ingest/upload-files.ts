import type { CallOptions, Connection, Result } from '../connection/connection.js';
import { Failure, isRefusal } from '../failure.js';
import { Batcher } from './batcher.js';
import { readAhead, type SentFile } from './read-files.js';
import type { Tally } from './tally.js';
import type { FoundFile } from './walk-folder.js';

interface UploadOptions {
  readonly root: string;
  readonly projectId: string;
  readonly maxBytes: number;
  /** Batches on their way at once. */
  readonly concurrency: number;
  /** SHA-256 by path of the files that the project already holds. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  /** Called after every file that needs no sending, and after every batch. */
  readonly onProgress: (bytes: number) => void;
  readonly onRetry: NonNullable<CallOptions['onRetry']>;
}

type Outcome = Pick<Result<'files_ingest'>, 'changed' | 'unchanged' | 'rejected'>;

/** Number of files read ahead of the batch that is being filled. */
const READ_AHEAD = 16;

/**
 * Sends every file whose text differs from the project's, counting each in `tally`. Files are read and hashed while
 * batches are on their way. At most `concurrency` + 1 batches and 16 files are in memory.
 */
export async function uploadFiles(
  files: Iterable<FoundFile>,
  connection: Connection,
  tally: Tally,
  options: UploadOptions,
): Promise<void> {
  const { root, maxBytes, hashes, onProgress } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const sending = new Set<Promise<void>>();
  const sizes = new Map<string, number>();
  let failure: unknown;
  const fail = (thrown: unknown): void => {
    failure ??= thrown;
    stop.abort();
  };

  const send = async (batch: readonly SentFile[] | undefined): Promise<void> => {
    if (!batch) return;
    if (sending.size >= options.concurrency) await Promise.race(sending);
    if (failure !== undefined) throw failure;
    const sent = deliver(batch, connection, options, signal)
      .then((outcome) => {
        count(batch, outcome, tally);
        const bytes = batch.reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0);
        for (const { path } of batch) sizes.delete(path);
        tally.sentBytes += bytes;
        onProgress(bytes);
      })
      .catch(fail)
      .finally(() => sending.delete(sent));
    sending.add(sent);
  };

  const batcher = new Batcher();
  try {
    for await (const read of readAhead(root, files, { maxBytes, ahead: READ_AHEAD })) {
      signal.throwIfAborted();
      if (read.kind === 'text' && hashes.get(read.path) !== read.sha256) {
        sizes.set(read.path, read.bytes);
        await send(batcher.add(read.file));
        continue;
      }
      if (read.kind === 'skipped') tally.skip(read);
      else tally.unchanged += 1;
      onProgress(read.bytes);
    }
    await send(batcher.flush());
  } catch (thrown) {
    fail(thrown);
  }
  await Promise.all(sending);
  if (failure !== undefined) throw failure;
}

/** Sends one batch; one that is too large for the service is sent in halves, down to single files. */
async function deliver(
  batch: readonly SentFile[],
  connection: Connection,
  options: UploadOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { projectId, onRetry } = options;
  try {
    const args = { project_id: projectId, files: [...batch] };
    return await connection.call('files_ingest', args, { signal, repeatable: true, onRetry });
  } catch (thrown) {
    if (!isRefusal(thrown, 'PAYLOAD_TOO_LARGE')) throw thrown;
    if (batch.length === 1) {
      const reason = 'larger than the service takes in one request';
      return { changed: 0, unchanged: 0, rejected: batch.map(({ path }) => ({ path, reason })) };
    }
    const middle = Math.ceil(batch.length / 2);
    const first = await deliver(batch.slice(0, middle), connection, options, signal);
    const second = await deliver(batch.slice(middle), connection, options, signal);
    return {
      changed: first.changed + second.changed,
      unchanged: first.unchanged + second.unchanged,
      rejected: [...first.rejected, ...second.rejected],
    };
  }
}

/** Counts a batch; throws for an answer that leaves a file of it without an outcome. */
function count(batch: readonly SentFile[], { changed, unchanged, rejected }: Outcome, tally: Tally): void {
  const answered = changed + unchanged + rejected.length;
  if (answered !== batch.length) {
    throw new Failure(`The service answered for ${answered} of ${batch.length} files of a batch.`, {
      next: 'Run the same command again: it sends what is missing. Please report this.',
    });
  }
  tally.sent += changed;
  tally.unchanged += unchanged;
  for (const rejection of rejected) tally.reject(rejection);
}
