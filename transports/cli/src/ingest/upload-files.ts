import type { CallOptions, Connection, Result } from '../connection/connection.js';
import { Failure, isRefusal } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { duration, plural, printable } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import { readAhead, type SentFile } from './read-files.js';
import type { Tally } from './tally.js';
import type { FoundFile } from './walk-folder.js';

interface Upload {
  readonly root: string;
  readonly projectId: string;
  readonly maxBytes: number;
  /** Batches on their way at once. */
  readonly concurrency: number;
  /** SHA-256 by path of the files that the project already holds. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly connection: Connection;
  readonly tally: Tally;
  /** Loses the paths of files that turn out to be none to send: a project keeps no former text of them. */
  readonly here: Set<string>;
}

/** Number of files read ahead of the batch that is being filled. */
const READ_AHEAD = 16;

/**
 * Sends every file whose text differs from the project's, counting each in the tally, and shows the progress. Files are
 * read and hashed while batches are on their way. At most `concurrency` + 1 batches and 16 files are in memory.
 */
export async function uploadFiles(
  files: readonly FoundFile[],
  upload: Upload,
  { terminal, signal: interrupted }: Invocation,
): Promise<void> {
  const { root, maxBytes, hashes, tally } = upload;
  const before = tally.settled;
  const totals = { total: files.length, totalBytes: tally.readBytes };
  const meter = startMeter(terminal, { label: 'Sending', unit: 'files', ...totals });
  const stop = new AbortController();
  const signal = AbortSignal.any([interrupted, stop.signal]);
  const sending = new Set<Promise<void>>();
  let settledBytes = 0;
  let failure: unknown;
  let shownReason: string | undefined;
  const fail = (thrown: unknown): void => {
    failure ??= thrown;
    // At a quota, batches on their way end by themselves, so that the number of stored files is true.
    if (!isRefusal(thrown, 'RESOURCE_EXHAUSTED')) stop.abort();
  };
  const settle = (bytes: number): void => {
    settledBytes += bytes;
    meter.update(tally.settled - before, { sent: settledBytes });
  };
  const onRetry = (reason: string, waitMs: number): void => {
    if (!terminal.live) return terminal.say(`${printable(reason)} Trying again in ${duration(waitMs)}.`);
    // Above the bar, once for each reason.
    if (reason !== shownReason) terminal.warn(`${printable(reason)} Trying again.`);
    shownReason = reason;
  };

  const send = async (batch: readonly SentFile[] | undefined): Promise<void> => {
    if (!batch) return;
    if (sending.size >= upload.concurrency) await Promise.race(sending);
    if (failure !== undefined) throw failure;
    const sent = deliver(batch, upload, { signal, repeatable: true, onRetry })
      .then(() => {
        const bytes = batch.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
        tally.sentBytes += bytes;
        settle(bytes);
      })
      .catch(fail)
      .finally(() => sending.delete(sent));
    sending.add(sent);
  };

  const batcher = new Batcher();
  try {
    for await (const read of readAhead(root, files, { maxBytes, ahead: READ_AHEAD })) {
      signal.throwIfAborted();
      if (failure !== undefined) break;
      if (read.kind === 'text' && read.encoding !== 'utf-8') tally.converted.add(read);
      if (read.kind === 'text' && hashes.get(read.path) !== read.sha256) {
        await send(batcher.add(read.file));
        continue;
      }
      if (read.kind === 'skipped') {
        tally.skip(read);
        if (read.reason !== 'unreadable') upload.here.delete(read.path);
      } else tally.unchanged += 1;
      settle(read.bytes);
    }
    if (failure === undefined) await send(batcher.flush());
  } catch (thrown) {
    fail(thrown);
  }
  await Promise.all(sending);
  meter.stop();
  if (failure === undefined) return;
  if (!interrupted.aborted) throw isRefusal(failure, 'RESOURCE_EXHAUSTED') ? full(failure, upload) : failure;
  const sent = `Stopped after ${plural(tally.sent, 'file')} sent.`;
  throw new Failure(`${sent} Run the same command again to continue from here.`, { cause: failure });
}

/** The refusal of a quota, with what is in the project now and how to go on. */
function full(refused: Failure, { tally, projectId }: Upload): Failure {
  const sent =
    tally.sent === 0 ? 'Nothing was sent' : `${plural(tally.sent, 'file')} went before it, and stay`;
  const next = `Make room, or leave files out with --exclude, and go on from here with: --project ${projectId}`;
  return refused.with({ next }, `${refused.message} ${sent}.`);
}

/** Sends one batch and counts its files; one too large for the service is sent in halves, down to single files. */
export async function deliver(
  batch: readonly SentFile[],
  upload: Pick<Upload, 'connection' | 'projectId' | 'tally'>,
  options: CallOptions,
): Promise<void> {
  const { connection, projectId, tally } = upload;
  try {
    const args = { project_id: projectId, files: [...batch] };
    countBatch(batch, await connection.call('files_ingest', args, options), tally);
  } catch (thrown) {
    if (!isRefusal(thrown, 'PAYLOAD_TOO_LARGE')) throw thrown;
    const middle = Math.ceil(batch.length / 2);
    const [first, second] = [batch.slice(0, middle), batch.slice(middle)];
    if (second.length > 0) {
      await deliver(first, upload, options);
      return deliver(second, upload, options);
    }
    const reason = 'larger than the service takes in one request';
    for (const { path } of batch) tally.rejections.add({ path, reason });
  }
}

/** Counts a batch; throws for an answer that leaves a file of it without an outcome. */
function countBatch(batch: readonly SentFile[], outcome: Result<'files_ingest'>, tally: Tally): void {
  const { changed, unchanged, rejected, redacted = [] } = outcome;
  const answered = changed + unchanged + rejected.length;
  if (answered !== batch.length) {
    throw new Failure(`The service answered for ${answered} of ${batch.length} files of a batch.`, {
      next: 'Run the same command again: it sends what is missing. Please report this.',
    });
  }
  tally.sent += changed;
  tally.unchanged += unchanged;
  for (const rejection of rejected) tally.rejections.add(rejection);
  for (const redaction of redacted) tally.redactions.add(redaction);
}

/** A batch holds at most this many files (the limit of `files_ingest`). */
const MAX_FILES = 500;
/** And this much JSON, half of the largest body of the service, so that a batch is answered quickly. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Collects files into batches within both limits; a file larger than a batch goes alone. */
export class Batcher {
  readonly #limits: { readonly files: number; readonly bytes: number };
  #files: SentFile[] = [];
  #bytes = 0;

  constructor(limits = { files: MAX_FILES, bytes: MAX_BYTES }) {
    this.#limits = limits;
  }

  /** Adds a file; returns the batch before it where that is full. */
  add(file: SentFile): readonly SentFile[] | undefined {
    const bytes = jsonBytes(file);
    const full = this.#files.length >= this.#limits.files || this.#bytes + bytes > this.#limits.bytes;
    const batch = full ? this.flush() : undefined;
    this.#files.push(file);
    this.#bytes += bytes;
    return batch;
  }

  /** Returns the remaining files, once. */
  flush(): readonly SentFile[] | undefined {
    if (this.#files.length === 0) return undefined;
    const batch = this.#files;
    this.#files = [];
    this.#bytes = 0;
    return batch;
  }
}

/** The size of a file inside a JSON body: escapes make text up to six times longer. */
export function jsonBytes(file: SentFile): number {
  return Buffer.byteLength(JSON.stringify(file)) + 1;
}
