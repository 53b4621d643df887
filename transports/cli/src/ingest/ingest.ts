import type { Connection } from '../connection/connection.js';
import { Failure } from '../failure.js';
import { bytes, count, duration, plural } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import type { Terminal } from '../terminal/terminal.js';
import { firstFailed, indexStatus, waitForIndex, type FailedFile, type IndexStatus } from './indexing.js';
import type { Project } from './project.js';
import type { Candidate } from './read.js';
import { remoteFiles, removeFiles } from './remote.js';
import { pathMatcher } from './rules.js';
import { secretFinder } from './secrets.js';
import { Tally } from './tally.js';
import { upload } from './upload.js';
import { walk } from './walk.js';

export interface IngestOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  readonly maxBytes: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly deleteMissing: boolean;
  readonly wait: boolean;
  readonly concurrency: number;
  /** Whether the summary names what was skipped; it always names what is unreadable or may hold secrets. */
  readonly verbose: boolean;
}

/** What an ingest did. */
export interface IngestResult {
  readonly tally: Tally;
  /** Files of the project that are no longer here. */
  readonly gone: number;
  readonly removed: number;
  readonly index: IndexStatus;
  readonly failed: readonly FailedFile[];
  readonly durationMs: number;
}

/** Brings a project up to date with a folder: scan, compare, send, delete, wait. */
export async function ingest(
  options: IngestOptions,
  project: Project,
  connection: Connection,
  context: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<IngestResult> {
  const { terminal, signal } = context;
  const started = performance.now();
  const tally = new Tally();
  const scan = await scanFolder(options, tally, signal);
  const remote = project.created
    ? new Map<string, string>()
    : await remoteFiles(connection, project.id, signal);
  const found = `${plural(tally.scanned, 'file')}, ${bytes(tally.scannedBytes)}`;
  terminal.say(
    terminal.shade('dim', remote.size > 0 ? `${found}; ${count(remote.size)} on the service.` : `${found}.`),
  );

  await sendFiles(scan.files, options, { project, connection, tally, remote, terminal, signal });
  tally.verify();

  const gone = missingPaths(remote, scan, excludesOf(options));
  const removed = options.deleteMissing ? await removeFiles(connection, project.id, gone, signal) : 0;
  const index = options.wait
    ? await waitForIndex(connection, project.id, context).catch(stoppedWaiting(signal))
    : await indexStatus(connection, project.id, signal);
  const failed = index.failed > 0 ? await firstFailed(connection, project.id, signal) : [];
  return { tally, gone: gone.length, removed, index, failed, durationMs: performance.now() - started };
}

/** All is sent by now, so being stopped loses nothing. */
function stoppedWaiting(signal: AbortSignal): (thrown: unknown) => never {
  return (thrown) => {
    if (!signal.aborted) throw thrown;
    throw new Failure('Stopped. Everything is sent; what waits is indexed when ingest or serve runs next.', {
      cause: thrown,
    });
  };
}

interface Scan {
  readonly files: readonly Candidate[];
  /** Folders whose content could not be seen: nothing in them counts as gone. */
  readonly unseen: readonly string[];
  /** Files that are here but are not read: unreadable or too large. They are not gone. */
  readonly leftOut: ReadonlySet<string>;
}

async function scanFolder(options: IngestOptions, tally: Tally, signal: AbortSignal): Promise<Scan> {
  const files: Candidate[] = [];
  const unseen: string[] = [];
  const leftOut = new Set<string>();
  const excludes = excludesOf(options);
  const isSecret = secretFinder(options.include);
  for await (const found of walk(options.root, { excludes, isSecret, signal })) {
    if (found.kind === 'folder') {
      if (found.reason === 'unreadable') {
        tally.leaveFolder(found.path);
        unseen.push(`${found.path}/`);
      } else tally.foldersLeftOut += 1;
      continue;
    }
    tally.scanned += 1;
    if (found.kind === 'skipped') {
      tally.skip(found);
      if (found.reason === 'unreadable') leftOut.add(found.path);
      continue;
    }
    tally.scannedBytes += found.bytes;
    if (found.bytes > options.maxBytes) {
      tally.skip({ path: found.path, reason: 'too_large' });
      leftOut.add(found.path);
    } else {
      tally.readBytes += found.bytes;
      files.push(found);
    }
  }
  return { files, unseen, leftOut };
}

/** Left out by --exclude, or a file that --include does not name. A folder is `path/`. */
function excludesOf({ include, exclude }: IngestOptions): (path: string) => boolean {
  const named = pathMatcher(include);
  const left = pathMatcher(exclude);
  return (path) => left(path) || (include.length > 0 && !path.endsWith('/') && !named(path));
}

/** Paths of the project that the folder no longer has. What the flags of this run leave out is not judged. */
function missingPaths(
  remote: ReadonlyMap<string, string>,
  scan: Scan,
  excludes: (path: string) => boolean,
): string[] {
  const here = new Set(scan.files.map(({ path }) => path));
  return [...remote.keys()].filter(
    (path) =>
      !here.has(path) &&
      !scan.leftOut.has(path) &&
      !scan.unseen.some((folder) => path.startsWith(folder)) &&
      !excludes(path),
  );
}

async function sendFiles(
  files: readonly Candidate[],
  options: IngestOptions,
  context: {
    readonly project: Project;
    readonly connection: Connection;
    readonly tally: Tally;
    readonly remote: ReadonlyMap<string, string>;
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { tally, terminal, signal } = context;
  const before = tally.settled;
  const meter = startMeter(terminal, {
    label: 'Sending',
    unit: 'files',
    total: files.length,
    totalBytes: tally.readBytes,
  });
  let settledBytes = 0;
  try {
    await upload(files, context.connection, tally, {
      root: options.root,
      projectId: context.project.id,
      maxBytes: options.maxBytes,
      concurrency: options.concurrency,
      remote: context.remote,
      signal,
      onProgress(settled) {
        settledBytes += settled;
        meter.update({ done: tally.settled - before, bytes: settledBytes });
      },
      onRetry: (reason, waitMs) => {
        if (!terminal.live) terminal.say(`${reason} Trying again in ${duration(waitMs)}.`);
      },
    });
  } catch (thrown) {
    if (signal.aborted) {
      throw new Failure(
        `Stopped after ${plural(tally.sent, 'file')} sent. Run the same command again to go on from here.`,
        { cause: thrown },
      );
    }
    throw thrown;
  } finally {
    meter.stop();
  }
}
