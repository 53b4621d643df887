import { notFound, uuidv7, type Database, type Sql } from '@service-mcp/core';
import { countLines, faultOfContent, faultOfPath, sha256 } from './file-rules.js';
import { markIndexing } from './project-ready.js';
import type { FileRow as StoredFile, FileWork } from './file-work.js';
import { lockWorkspace, pruneContents } from './contents.js';

export interface IncomingFile {
  readonly path: string;
  readonly content: string;
  readonly language?: string;
  readonly modified_at?: string;
  readonly commit_sha?: string;
}

export interface IngestReport {
  readonly received: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly rejected: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

interface IngestContext {
  readonly database: Database;
  readonly now: string;
  readonly maxBytes: number;
  readonly work: FileWork;
  readonly languageOf: (path: string, text: string) => string | null;
}

interface Place {
  readonly workspaceId: string;
  readonly projectId: string;
}

interface FileRow {
  readonly path: string;
  readonly sha256: string;
  readonly content: string;
  readonly [column: string]: string | number | null;
}

type WrittenFile = Parameters<FileWork['add']>[1][number];

const ROWS_PER_STATEMENT = 50;
const UPDATED = ['language', 'sha256', 'bytes', 'lines', 'modified_at', 'commit_sha'];

/** Writes a batch in one transaction: contents once per SHA-256, changed files as pending work. */
export async function writeBatch(
  context: IngestContext,
  place: Place,
  files: readonly IncomingFile[],
  deleteMissing: boolean,
): Promise<IngestReport> {
  const { rows, rejected } = accept(context, place, files);
  const { changed, removed } = await context.database.transaction(async (sql) => {
    await lockWorkspace(sql, context.database.engine, place.workspaceId);
    const projects = sql('projects').where({ id: place.projectId });
    if ((await projects.update({ ingested_at: context.now })) === 0)
      throw notFound('project', place.projectId, 'projects_list'); // deleted since the call was admitted
    const known = await knownFiles(
      sql,
      place.projectId,
      rows.map((row) => row.path),
    );
    const fresh = rows.filter((row) => known.get(row.path) !== row.sha256);
    await insertContents(sql, place.workspaceId, fresh);
    await upsert(sql, context.work, fresh);
    const gone = deleteMissing
      ? await removeOthers(
          sql,
          context.work,
          place.projectId,
          files.map((file) => file.path),
        )
      : 0;
    const replaced = fresh.flatMap((row) => known.get(row.path) ?? []);
    if (gone > 0) await pruneContents(sql, place.workspaceId);
    else if (replaced.length > 0) await pruneContents(sql, place.workspaceId, replaced);
    if (fresh.length + gone > 0) await markIndexing(sql, { id: place.projectId });
    return { changed: fresh.length, removed: gone };
  });
  return { received: files.length, changed, unchanged: rows.length - changed, removed, rejected };
}

/** Sorts a batch into rows to write and rejections; of a path that comes twice the last is kept. */
function accept(
  { now, maxBytes, languageOf, work }: IngestContext,
  place: Place,
  files: readonly IncomingFile[],
) {
  const rejected: Array<{ path: string; reason: string }> = [];
  const rows = new Map<string, FileRow>();
  for (const file of files) {
    const { path, content } = file;
    const bytes = Buffer.byteLength(content);
    const fault = faultOfPath(path) ?? faultOfContent(content, bytes, maxBytes);
    if (fault !== undefined) {
      rejected.push({ path: path.toWellFormed().replaceAll('\0', '�').slice(0, 1024), reason: fault });
      continue;
    }
    if (rows.has(path))
      rejected.push({ path, reason: 'the path comes again later in the batch; the last was kept' });
    rows.set(path, {
      id: uuidv7(),
      workspace_id: place.workspaceId,
      project_id: place.projectId,
      path,
      content,
      language: file.language?.toLowerCase() ?? languageOf(path, content),
      sha256: sha256(content),
      bytes,
      lines: countLines(content),
      modified_at: file.modified_at === undefined ? now : new Date(file.modified_at).toISOString(),
      commit_sha: file.commit_sha ?? null,
      deleted: 0,
      indexing_status: work.changedStatus,
      indexing_error: null,
      chunks: 0,
      indexed_at: null,
    });
  }
  // One order for everyone, so that two batches never wait for each other in a circle.
  return { rows: [...rows.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), rejected };
}

async function knownFiles(
  sql: Sql,
  projectId: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<StoredFile>('files')
    .where({ project_id: projectId, deleted: 0 })
    .whereIn('path', [...paths])
    .select('path', 'sha256');
  return new Map(rows.map((row) => [row.path, row.sha256]));
}

async function insertContents(sql: Sql, workspace_id: string, rows: readonly FileRow[]): Promise<void> {
  const contents = new Map(
    rows.map(({ sha256: hash, content }) => [hash, { workspace_id, sha256: hash, content }]),
  );
  for (const batch of inBatches([...contents.values()])) {
    await sql('file_contents').insert(batch).onConflict(['workspace_id', 'sha256']).ignore();
  }
}

async function upsert(sql: Sql, work: FileWork, rows: readonly FileRow[]): Promise<void> {
  const updated = Object.fromEntries(UPDATED.map((column) => [column, sql.raw('excluded.??', [column])]));
  for (const batch of inBatches(rows)) {
    const changed = { deleted: 0, indexing_status: work.changedStatus, indexing_error: null };
    const written: WrittenFile[] = await sql('files')
      .insert(batch.map(({ content: _content, ...row }) => row))
      .onConflict(['project_id', 'path'])
      .merge({ ...updated, ...changed })
      .returning(['id', 'workspace_id', 'project_id', 'bytes']);
    await work.add(sql, written);
  }
}

async function removeOthers(
  sql: Sql,
  work: FileWork,
  projectId: string,
  kept: readonly string[],
): Promise<number> {
  const rows = await sql<StoredFile>('files').where({ project_id: projectId, deleted: 0 }).select('path');
  const keep = new Set(kept);
  const gone = rows.map((row) => row.path).filter((path) => !keep.has(path));
  return work.remove(sql, projectId, gone);
}

function* inBatches<T>(all: readonly T[], size = ROWS_PER_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
