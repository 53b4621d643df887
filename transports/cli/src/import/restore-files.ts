import { createHash } from 'node:crypto';
import { listAll, type Connection } from '../connection/connection.js';
import { listHashes } from '../ingest/ingest-folder.js';
import type { SentFile } from '../ingest/read-files.js';
import { Tally } from '../ingest/tally.js';
import { Batcher, deliver } from '../ingest/upload-files.js';
import type { Invocation } from '../invocation.js';
import { Failure } from '../failure.js';
import { plural } from '../terminal/format.js';
import { startMeter } from '../terminal/meter.js';
import { checkRoom } from './check-room.js';
import { exportRecords, sentFile, type ExportRecord } from './export-records.js';
import { matchProjects } from './match-projects.js';
import { wholeLines } from './whole-lines.js';

/** What an export holds besides memory, and what became of it. */
export interface Restored {
  /** The projects of the workspace by the ids that they have in the export. */
  readonly projects: ReadonlyMap<string, string>;
  /** How many of them were made. */
  readonly created: number;
  /** Files by outcome; `unchanged` are those that were there. */
  readonly files: Tally;
  /** How many of those have another text than in the export. */
  readonly kept: number;
}

export const GO_ON = 'Run the same command again to go on: what is there is skipped.';

/**
 * Restores the projects and files of an export into a workspace. A project goes to the one of its id, else to the one of
 * its name, else to a new one, and never two to one; files whose path is there stay as they are, and none is removed. Nothing is written where the
 * files do not fit a quota.
 */
export async function restoreFiles(
  path: string,
  workspaceId: string,
  connection: Connection,
  { terminal, signal }: Invocation,
): Promise<Restored> {
  const projects = new Map<string, string>();
  const files = new Tally();
  const batches = new Map<string, Batcher>();
  const inWorkspace = { workspace_id: workspaceId };
  const existing = await listAll(connection, 'projects_list', inWorkspace);
  const matches = await matchProjects(path, existing, connection, signal);
  const meter = startMeter(terminal, { label: 'Restoring', unit: 'files' });
  let created = 0;
  let kept = 0;
  /** SHA-256 by path of what a project held before the import. */
  const held = new Map<string, ReadonlyMap<string, string>>();
  const hashesOf = async (projectId: string): Promise<ReadonlyMap<string, string>> => {
    const hashes = held.get(projectId) ?? (await listHashes(connection, projectId));
    held.set(projectId, hashes);
    return hashes;
  };

  async function place(project: ExportRecord['record']): Promise<void> {
    const { id, name, description, repository_url: repositoryUrl } = project;
    if (typeof id !== 'string' || typeof name !== 'string') return;
    const same = matches.get(id);
    if (same) return void projects.set(id, same.id);
    const made = await connection.call('projects_create', {
      ...inWorkspace,
      name,
      ...(typeof description === 'string' && { description }),
      ...(typeof repositoryUrl === 'string' && { repository_url: repositoryUrl }),
    });
    projects.set(id, made.id);
    held.set(made.id, new Map());
    created += 1;
  }

  async function send(projectId: string, batch: readonly SentFile[] | undefined): Promise<void> {
    if (!batch) return;
    await deliver(batch, { connection, projectId, tally: files }, { signal, repeatable: true });
    meter.update(files.settled, { sent: files.sentBytes });
  }

  async function restore(file: ExportRecord['record'], line: number): Promise<void> {
    files.scanned += 1;
    const sent = sentFile(file);
    const projectId = projects.get(String(file['project_id']));
    if (!sent || projectId === undefined) {
      const reason = sent ? 'its project is not in the export' : 'it is not a whole file record';
      return files.rejections.add({ path: sent?.path ?? `line ${line}`, reason });
    }
    const before = (await hashesOf(projectId)).get(sent.path);
    if (before !== undefined) {
      files.unchanged += 1;
      if (before !== createHash('sha256').update(sent.content).digest('hex')) kept += 1;
      return;
    }
    files.sentBytes += Buffer.byteLength(sent.content);
    const batcher = batches.get(projectId) ?? new Batcher();
    batches.set(projectId, batcher);
    await send(projectId, batcher.add(sent));
  }

  try {
    await checkRoom(path, { workspaceId, matches, hashesOf }, connection, signal);
    for await (const { kind, record, line } of exportRecords(path, signal)) {
      if (kind === 'project') await place(record);
      else await restore(record, line);
    }
    for (const [projectId, batcher] of batches) await send(projectId, batcher.flush());
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    const message = `Stopped after ${plural(files.settled, 'file')} of the export.`;
    throw new Failure(message, { next: GO_ON, cause: thrown });
  } finally {
    meter.stop();
  }
  files.verify();
  return { projects, created, files, kept };
}

/** Quotes inside a text are escaped, so that this is a field. */
const PROJECT_ID = /"project_id":"([^"\\]+)"/g;

/** Lines of memory that name the projects of another workspace instead. */
export async function* withProjects(
  lines: AsyncIterable<Uint8Array>,
  projects: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array> {
  for await (const line of wholeLines(lines)) {
    const named = line.replace(PROJECT_ID, (field, id: string) => {
      const here = projects.get(id);
      return here === undefined ? field : `"project_id":"${here}"`;
    });
    yield Buffer.from(`${named}\n`);
  }
}
