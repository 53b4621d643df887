import { systemCode } from '@service-mcp/core/wire';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions, Connection } from '../connection/connection.js';
import { EXIT, Failure } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { ChangeQueue } from './change-queue.js';
import type { ChangeScope } from './change-scope.js';
import { indexStatus } from './index-status.js';
import {
  exclusion,
  ingestFolder,
  listHashes,
  missingPaths,
  removeFiles,
  scanFolder,
  type IngestOptions,
  type IngestResult,
} from './ingest-folder.js';
import type { Project } from './resolve-project.js';
import { Tally } from './tally.js';
import { uploadFiles } from './upload-files.js';
import type { WatchReport } from './watch-report.js';
import { gone, watchTree, type TreeWatch } from './watch-tree.js';

const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
const POLL_MS = 500;
const AWAY_POLL_MS = 2_000;

/**
 * Ingests a folder and keeps its project up to date until the signal: changed, added, renamed and deleted files are
 * sent in batches. Deleted files are deleted from the project if this run has seen them; with `deleteMissing`, others
 * too. While the service is away it is asked again and again, and the whole folder is compared once it is back. Throws
 * a Failure when the folder is deleted, the system's limit of watches is reached, or the service refuses for good.
 */
export async function watchFolder(
  root: string,
  options: IngestOptions,
  project: Project,
  connection: Connection,
  invocation: Invocation,
  context: { readonly report: WatchReport; onIngested(result: IngestResult): void },
): Promise<void> {
  const { report } = context;
  const queue = new ChangeQueue();
  const broken = new AbortController();
  const signal = AbortSignal.any([invocation.signal, broken.signal]);
  const seen = new Set<string>();
  let tree: TreeWatch | undefined;
  let foldersChanged = false;
  /** Updates in a row that failed. */
  let failures = 0;

  const startWatching = async (): Promise<void> => {
    const { leftOut } = await scanFolder(root, options, new Tally(), signal);
    // First: chokidar would share its watch of a folder that is another one now. What changes meanwhile is compared after.
    await tree?.close();
    tree = await watchTree(root, leftOut, {
      onChange: (path) => queue.add(path),
      onFolders: () => {
        foldersChanged = true;
        queue.add('');
      },
      onFailure: (failure) => broken.abort(failure),
    });
  };

  // A failure shows at once; this loop retries by comparing again, which the retries of single calls would delay.
  const direct: Connection = {
    ...connection,
    call: (name, args, sent?: CallOptions) => connection.call(name, args, { ...sent, attempt: failures }),
  };
  // A list of many pages would never come to its end if it began again where the service asks to wait.
  const patient: Connection = {
    ...connection,
    call: (name, args, sent?: CallOptions) =>
      connection.call(name, args, { ...sent, signal, onRetry: (...retry) => report.away(...retry) }),
  };
  const quiet: Invocation = {
    terminal: { ...invocation.terminal, live: false, say: report.line },
    signal,
  };

  const following = new IndexFollower(direct, project.id, report, signal);
  const update = async (scope: ChangeScope): Promise<void> => {
    const started = performance.now();
    if (foldersChanged) {
      foldersChanged = false;
      await startWatching();
    }
    const tally = new Tally();
    const scan = await scanFolder(root, options, tally, signal, scope);
    for (const folder of scan.leftOut) tree?.leaveOut(folder);
    const hashes = scope.isWhole ? await listHashes(patient, project.id) : new Map<string, string>();
    const upload = {
      ...options,
      root,
      projectId: project.id,
      connection: direct,
      tally,
      hashes,
      here: scan.here,
    };
    try {
      await uploadFiles(scan.files, upload, quiet);
    } finally {
      for (const path of scan.here) seen.add(path); // also where the answer to what was sent is lost
    }
    const known = options.deleteMissing ? [...seen, ...hashes.keys()] : seen;
    const missing = [...new Set(missingPaths(known, scan, exclusion(options, scope)))];
    const removed = await removeFiles(direct, project.id, missing);
    for (const path of missing) seen.delete(path);
    report.updated({ tally, removed, files: seen.size, durationMs: performance.now() - started });
    following.start();
  };

  try {
    await startWatching();
    const first = await ingestFolder(root, { ...options, wait: false }, project, connection, {
      ...invocation,
      signal,
    });
    for (const path of first.here) seen.add(path);
    context.onIngested(first);
    report.watching(seen.size);
    following.start();
    let retryMs = MIN_RETRY_MS;
    for (let scope = await queue.next(signal); scope; scope = await queue.next(signal)) {
      try {
        await update(scope);
        report.back();
        retryMs = MIN_RETRY_MS;
        failures = 0;
      } catch (thrown) {
        if (signal.aborted) break;
        if (systemCode(thrown) === 'ENOENT') throw gone(root, thrown);
        if (!isAway(thrown)) throw thrown;
        failures += 1;
        const wait = Math.max(retryMs * (0.5 + Math.random() / 2), thrown.retryAfterMs ?? 0);
        report.away(thrown.message, wait);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
        await sleep(wait, undefined, { signal }).catch(() => undefined);
        queue.add('');
      }
    }
  } catch (thrown) {
    throw broken.signal.aborted ? broken.signal.reason : thrown;
  } finally {
    await following.stopped();
    await tree?.close();
    report.close();
  }
  if (broken.signal.aborted) throw broken.signal.reason;
  report.stopped();
}

/** The service is out of reach or asks to wait. */
function isAway(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && (thrown.transient || thrown.exit === EXIT.unreachable);
}

/** Reports the state of the index while files wait in it. */
class IndexFollower {
  readonly #parts: readonly [Connection, string, WatchReport, AbortSignal];
  #running: Promise<void> | undefined;
  #isOutdated = false;

  constructor(...parts: readonly [Connection, string, WatchReport, AbortSignal]) {
    this.#parts = parts;
  }

  /** Follows what was sent until now: an answer that is on its way may be from before. */
  start(): void {
    this.#isOutdated = true;
    this.#running ??= this.#follow();
  }

  async stopped(): Promise<void> {
    await this.#running;
  }

  async #follow(): Promise<void> {
    const [connection, projectId, report, signal] = this.#parts;
    try {
      while (!signal.aborted) {
        this.#isOutdated = false;
        const status = await indexStatus(connection, projectId).catch((thrown: unknown) => {
          if (!isAway(thrown)) return null; // the next update ends the watch
        });
        if (signal.aborted || status === null) return;
        if (this.#isOutdated) continue;
        if (status) report.indexed(status);
        if (status?.pending === 0) return;
        await sleep(status ? POLL_MS : AWAY_POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#running = undefined;
    }
  }
}
