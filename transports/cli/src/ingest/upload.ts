import type { CallOptions, Connection } from '../connection/connection.js';
import { Failure } from '../failure.js';
import { Batcher } from './batch.js';
import { readAhead, type Candidate, type WireFile } from './read.js';
import type { Rejection, Tally } from './tally.js';

export interface UploadOptions {
  readonly root: string;
  readonly projectId: string;
  readonly maxBytes: number;
  /** Batches on their way at once. */
  readonly concurrency: number;
  /** SHA-256 by path of what the project holds already. */
  readonly remote: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  /** Told after every file that got its outcome without sending, and after every batch. */
  readonly onProgress: (bytes: number) => void;
  readonly onRetry: NonNullable<CallOptions['onRetry']>;
}

/** What `files_ingest` answers. */
interface IngestReply {
  readonly received: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: readonly Rejection[];
}

/** Files read ahead of the batch that is being filled. */
const READ_AHEAD = 16;

/**
 * Sends every file whose text differs from what the project holds, counting each in `tally`. Reading and hashing
 * go on while batches travel. At most `concurrency` + 1 batches and 16 files are in memory.
 */
export async function upload(
  files: Iterable<Candidate>,
  connection: Connection,
  tally: Tally,
  options: UploadOptions,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const travelling = new Set<Promise<void>>();
  const sizes = new Map<string, number>();
  let failure: unknown;

  const send = async (batch: readonly WireFile[]): Promise<void> => {
    if (travelling.size >= options.concurrency) await Promise.race(travelling);
    if (failure !== undefined) throw failure;
    const sending = deliver(batch, connection, options, signal)
      .then((reply) => account(batch, reply, tally, sizes, options.onProgress))
      .catch((thrown: unknown) => {
        failure ??= thrown;
        stop.abort();
      })
      .finally(() => travelling.delete(sending));
    travelling.add(sending);
  };

  const batcher = new Batcher();
  try {
    for await (const read of readAhead(options.root, files, {
      maxBytes: options.maxBytes,
      ahead: READ_AHEAD,
    })) {
      signal.throwIfAborted();
      if (read.kind === 'skipped') tally.skip(read);
      else if (options.remote.get(read.path) === read.sha256) tally.unchanged += 1;
      else {
        sizes.set(read.path, read.bytes);
        const full = batcher.add(read.file);
        if (full) await send(full);
        continue;
      }
      options.onProgress(read.bytes);
    }
    const last = batcher.flush();
    if (last) await send(last);
  } catch (thrown) {
    failure ??= thrown;
    stop.abort();
  }
  await Promise.all(travelling);
  if (failure !== undefined) throw failure;
}

/** Sends one batch; one that the service finds too large goes in halves, down to single files. */
async function deliver(
  batch: readonly WireFile[],
  connection: Connection,
  options: UploadOptions,
  signal: AbortSignal,
): Promise<IngestReply> {
  try {
    const args = { project_id: options.projectId, files: batch };
    const reply = await connection.call('files_ingest', args, {
      signal,
      repeatable: true,
      onRetry: options.onRetry,
    });
    return reply as unknown as IngestReply; // the shape that the tool declares; account() checks its sums
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'PAYLOAD_TOO_LARGE') throw thrown;
    if (batch.length === 1) {
      const rejected = batch.map(({ path }) => ({
        path,
        reason: 'larger than the service takes in one request',
      }));
      return { received: 1, changed: 0, unchanged: 0, rejected };
    }
    const middle = Math.ceil(batch.length / 2);
    const first = await deliver(batch.slice(0, middle), connection, options, signal);
    const second = await deliver(batch.slice(middle), connection, options, signal);
    return {
      received: first.received + second.received,
      changed: first.changed + second.changed,
      unchanged: first.unchanged + second.unchanged,
      rejected: [...first.rejected, ...second.rejected],
    };
  }
}

/** Books a batch; refuses an answer that leaves a file of it without an outcome. */
function account(
  batch: readonly WireFile[],
  reply: IngestReply,
  tally: Tally,
  sizes: Map<string, number>,
  onProgress: (bytes: number) => void,
): void {
  const answered = reply.changed + reply.unchanged + reply.rejected.length;
  if (answered !== batch.length) {
    throw new Failure(`The service answered for ${answered} of ${batch.length} files of a batch.`, {
      next: 'Run the same command again: it sends what is missing. Please report this.',
    });
  }
  tally.sent += reply.changed;
  tally.unchanged += reply.unchanged;
  for (const rejection of reply.rejected) tally.reject(rejection);
  let bytes = 0;
  for (const { path } of batch) {
    bytes += sizes.get(path) ?? 0;
    sizes.delete(path);
  }
  tally.sentBytes += bytes;
  onProgress(bytes);
}
