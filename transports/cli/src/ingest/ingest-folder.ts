import { pages, type Connection } from '../connection/connection.js';
import { whenStopped } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { bytes, count, plural } from '../terminal/format.js';
import type { ChangeScope } from './change-scope.js';
import { pathMatcher, secretFinder } from './path-rules.js';
import { firstFailed, indexStatus, waitForIndex, type FailedFile, type IndexStatus } from './index-status.js';
import type { Project } from './resolve-project.js';
import { Tally } from './tally.js';
import { uploadFiles } from './upload-files.js';
import { walkFolder, type FoundFile } from './walk-folder.js';

export interface IngestOptions {
  readonly maxBytes: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly deleteMissing?: boolean;
  readonly wait: boolean;
  readonly concurrency: number;
  /** Whether the summary names all skipped files; it always names those that are unreadable or may hold secrets. */
  readonly verbose?: boolean;
}

/** The outcome of an ingest. */
export interface IngestResult {
  readonly tally: Tally;
  /** Paths of the files that are sent, and of those that could not be read. */
  readonly here: ReadonlySet<string>;
  /** Files of the project that are no longer here, or not as texts that are sent. */
  readonly gone: number;
  readonly removed: number;
  readonly index: IndexStatus;
  readonly failed: readonly FailedFile[];
  readonly durationMs: number;
}

/** Brings a project up to date with a folder: scan, compare, send, delete, wait. */
export async function ingestFolder(
  root: string,
  options: IngestOptions,
  project: Project,
  connection: Connection,
  invocation: Invocation,
): Promise<IngestResult> {
  const { terminal, signal } = invocation;
  const started = performance.now();
  const tally = new Tally();
  const early = whenStopped(signal, () => 'Stopped before a file was sent.', 'Run the same command again.');
  const scan = await scanFolder(root, options, tally, signal).catch(early);
  const hashes = project.created
    ? new Map<string, string>()
    : await listHashes(connection, project.id).catch(early);
  const found = `${plural(tally.scanned, 'file')}, ${bytes(tally.scannedBytes)}`;
  terminal.note(hashes.size > 0 ? `${found}; ${count(hashes.size)} on the service.` : `${found}.`);

  const upload = { ...options, root, projectId: project.id, connection, tally, hashes, here: scan.here };
  await uploadFiles(scan.files, upload, invocation);
  tally.verify();

  const gone = missingPaths(hashes.keys(), scan, exclusion(options));
  const late = () => 'Stopped. Every file is sent; not all that are gone are deleted.';
  const removed = options.deleteMissing
    ? await removeFiles(connection, project.id, gone).catch(
        whenStopped(signal, late, 'Run the same command again to go on.'),
      )
    : 0;
  const index = options.wait
    ? await waitForIndex(connection, project.id, invocation)
    : await indexStatus(connection, project.id);
  const failed = index.failed > 0 ? await firstFailed(connection, project.id) : [];
  const durationMs = performance.now() - started;
  return { tally, here: scan.here, gone: gone.length, removed, index, failed, durationMs };
}

interface Scan {
  readonly files: readonly FoundFile[];
  /** Paths of the files to send, and of those that cannot be read. What else a project holds is out of date. */
  readonly here: Set<string>;
  /** Folders whose content could not be listed: no file in them counts as gone. */
  readonly unseen: readonly string[];
  /** Folders that rules or flags leave out. */
  readonly leftOut: readonly string[];
}

/** Finds the files of a folder, or of the paths of `scope` in it, and counts those that are skipped. */
export async function scanFolder(
  root: string,
  options: IngestOptions,
  tally: Tally,
  signal: AbortSignal,
  scope?: ChangeScope,
): Promise<Scan> {
  const files: FoundFile[] = [];
  const here = new Set<string>();
  const unseen: string[] = [];
  const leftOut: string[] = [];
  const excludes = exclusion(options, scope);
  const isSecret = secretFinder(options.include);
  for await (const found of walkFolder(root, { excludes, isSecret, signal })) {
    const { kind, path } = found;
    if (kind === 'folder') {
      if (found.reason === 'unreadable') {
        tally.unreadableFolders.add(path);
        unseen.push(`${path}/`);
      } else {
        tally.foldersLeftOut += 1;
        if (!scope || scope.includes(`${path}/`)) leftOut.push(path);
      }
      continue;
    }
    tally.scanned += 1;
    if (kind === 'skipped') tally.skip(found);
    if (kind === 'skipped') {
      if (found.reason === 'unreadable') here.add(path);
      continue;
    }
    tally.scannedBytes += found.bytes;
    if (found.bytes > options.maxBytes) {
      tally.skip({ path, reason: 'too_large' });
      continue;
    }
    here.add(path);
    tally.readBytes += found.bytes;
    files.push(found);
  }
  return { files, here, unseen, leftOut };
}

/**
 * Tells paths outside of `scope`, those that --exclude leaves out, and files that --include does not name. A folder is
 * `path/`.
 */
export function exclusion(
  { include, exclude }: IngestOptions,
  scope?: ChangeScope,
): (path: string) => boolean {
  const included = pathMatcher(include);
  const excluded = pathMatcher(exclude);
  return (path) =>
    scope?.includes(path) === false ||
    excluded(path) ||
    (include.length > 0 && !path.endsWith('/') && !included(path));
}

/** Those of `paths` that the folder no longer has, or not as files that are sent. Paths that are excluded do not count. */
export function missingPaths(
  paths: Iterable<string>,
  { here, unseen }: Scan,
  excludes: (path: string) => boolean,
): string[] {
  return [...paths].filter(
    (path) => !here.has(path) && !unseen.some((folder) => path.startsWith(folder)) && !excludes(path),
  );
}

/** The SHA-256 of every file that the project holds, by path: an ingest resumes by comparing with it. */
export async function listHashes(connection: Connection, projectId: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const files = pages(connection, 'files_list', { project_id: projectId });
  for await (const { path, sha256 } of files) hashes.set(path, sha256);
  return hashes;
}

/** Half of the limit of the tool: long paths of three bytes a letter still fit its body limit. */
const DELETE_AT_ONCE = 250;
/** A project has no longer ones. */
const MAX_PATH_LENGTH = 1024;

/** Deletes files of the project by path; resolves to how many existed. */
export async function removeFiles(
  connection: Connection,
  projectId: string,
  paths: readonly string[],
): Promise<number> {
  let removed = 0;
  const possible = paths.filter(({ length }) => length <= MAX_PATH_LENGTH);
  for (let i = 0; i < possible.length; i += DELETE_AT_ONCE) {
    const args = { project_id: projectId, paths: possible.slice(i, i + DELETE_AT_ONCE) };
    const reply = await connection.call('files_delete', args, { repeatable: true });
    removed += reply.removed;
  }
  return removed;
}
