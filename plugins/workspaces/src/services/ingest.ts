import { notFound, projectPath, uuidv7, type Database, type Quotas, type Sql } from '@service-mcp/core';
import type { Syntax } from '@service-mcp/plugin-syntax/contract';
import type { IncomingFile, IngestReport } from '../schemas.js';
import { batchesOf } from './batches.js';
import { countLines, faultOfContent, faultOfPath, printablePath, sha256 } from './file-rules.js';
import { markIndexing } from './project-ready.js';
import type { FileRow as StoredFile, FileWork } from './file-work.js';
import { pruneContents } from './contents.js';
import { lockWorkspace } from './workspace-lock.js';
import { packText } from './packed-text.js';
import type { Screening } from './screening.js';

interface IngestContext {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly database: Database;
  readonly now: string;
  readonly maxBytes: number;
  readonly work: FileWork;
  readonly quotas: Quotas;
  readonly screening: Screening;
  readonly syntax: Pick<Syntax, 'languageOf' | 'languageNamed'> | undefined;
}

interface FileRow {
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  readonly content: string;
  readonly bytes: number;
  readonly [column: string]: string | number | null;
}

type WrittenFile = Parameters<FileWork['add']>[1][number];

const ROWS_PER_STATEMENT = 50;
const UPDATED = ['language', 'sha256', 'bytes', 'lines', 'modified_at', 'commit_sha'];

/**
 * Writes a batch in one transaction: contents once per SHA-256, changed files as pending work. Throws RESOURCE_EXHAUSTED,
 * and then writes nothing.
 */
export async function writeBatch(
  context: IngestContext,
  files: readonly IncomingFile[],
  deleteMissing: boolean,
): Promise<IngestReport> {
  const { workspaceId, projectId, database, work, quotas, now } = context;
  const { rows, rejected, redacted } = await accept(context, files);
  const { changed, removed } = await database.transaction(async (sql) => {
    await lockWorkspace(sql, workspaceId); // none prunes contents that another is about to use
    const projects = sql('projects').where({ id: projectId });
    if ((await projects.update({ ingested_at: now })) === 0)
      throw notFound('project', projectId, 'projects_list'); // deleted since the call was admitted
    const living = () => sql<StoredFile>('files').where({ project_id: projectId, deleted: 0 });
    const paths = rows.map((row) => row.path);
    const stored = await living().whereIn('path', paths).select('path', 'language', 'sha256', 'bytes');
    const known = new Map(stored.map((row) => [row.path, row]));
    // A language that the caller names corrects the one that the path told.
    const named = new Set(files.filter(({ language }) => language !== undefined).map(({ path }) => path));
    const fresh = rows.filter(({ path, sha256: hash, language }) => {
      const before = known.get(path);
      return before?.sha256 !== hash || (named.has(path) && before.language !== language);
    });
    await insertContents(sql, workspaceId, fresh);
    await upsert(sql, work, fresh);
    // A file that was refused for how its path is written was sent all the same.
    const received = new Set(files.flatMap(({ path }) => [path, projectPath(path)]));
    const missing = deleteMissing
      ? (await living().select('path')).map(({ path }) => path).filter((path) => !received.has(path))
      : [];
    const gone = await work.remove(sql, projectId, missing);
    const before = fresh.flatMap((row) => known.get(row.path) ?? []);
    await pruneContents(sql, workspaceId, [...gone.hashes, ...before.map(({ sha256: hash }) => hash)]);
    if (fresh.length + gone.files > 0) await markIndexing(sql, { id: projectId });
    await quotas.count(sql, workspaceId, {
      files: fresh.length - before.length - gone.files,
      bytes: bytesOf(fresh) - bytesOf(before) - gone.bytes,
    });
    return { changed: fresh.length, removed: gone.files };
  });
  const report = { received: files.length, changed, unchanged: rows.length - changed, removed, rejected };
  return redacted.length === 0 ? report : { ...report, redacted };
}

const bytesOf = (rows: ReadonlyArray<{ readonly bytes: number }>) =>
  rows.reduce((sum, { bytes }) => sum + bytes, 0);

/** Splits a batch into rows to write and rejections; the last file of a repeated path wins. */
async function accept(context: IngestContext, received: readonly IncomingFile[]) {
  const { workspaceId: workspace_id, projectId: project_id, now, maxBytes, syntax, work } = context;
  const rejected: Array<{ path: string; reason: string }> = [];
  const valid = received.filter((file) => {
    const { path, content } = file;
    const fault = faultOfPath(path) ?? faultOfContent(content, Buffer.byteLength(content), maxBytes);
    if (fault !== undefined) rejected.push({ path: printablePath(path), reason: fault });
    return fault === undefined;
  });
  const { files, refused, redacted } = await context.screening.files(valid);
  const rows = new Map<string, FileRow>();
  for (const file of files) {
    const { path, content } = file;
    const bytes = Buffer.byteLength(content);
    const fault = refused.get(file);
    if (fault !== undefined) {
      rejected.push({ path: printablePath(path), reason: fault });
      continue;
    }
    if (rows.has(path))
      rejected.push({ path, reason: 'the path comes again later in the batch; the last was kept' });
    rows.set(path, {
      id: uuidv7(),
      workspace_id,
      project_id,
      path,
      content,
      language: languageNamed(file.language, syntax) ?? syntax?.languageOf(path, content) ?? null,
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
  // A fixed order, so that two batches never deadlock.
  return { rows: [...rows.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), rejected, redacted };
}

/** The language by what a caller calls it, as searches know it. */
export function languageNamed(
  name: string | undefined,
  syntax: Pick<Syntax, 'languageNamed'> | undefined,
): string | undefined {
  return name === undefined ? undefined : (syntax?.languageNamed(name) ?? name.toLowerCase());
}

async function insertContents(sql: Sql, workspace_id: string, rows: readonly FileRow[]): Promise<void> {
  const contents = new Map(rows.map(({ sha256: hash, content }) => [hash, content]));
  for (const batch of batchesOf([...contents], ROWS_PER_STATEMENT)) {
    const packed = batch.map(async ([hash, content]) => {
      return { workspace_id, sha256: hash, packed: await packText(content) };
    });
    await sql('file_contents')
      .insert(await Promise.all(packed))
      .onConflict(['workspace_id', 'sha256'])
      .ignore();
  }
}

async function upsert(sql: Sql, work: FileWork, rows: readonly FileRow[]): Promise<void> {
  const all: WrittenFile[] = [];
  const updated = Object.fromEntries(UPDATED.map((column) => [column, sql.raw('excluded.??', [column])]));
  for (const batch of batchesOf(rows, ROWS_PER_STATEMENT)) {
    const changed = { deleted: 0, indexing_status: work.changedStatus, indexing_error: null };
    const written: WrittenFile[] = await sql('files')
      .insert(batch.map(({ content: _content, ...row }) => row))
      .onConflict(['project_id', 'path'])
      .merge({ ...updated, ...changed })
      .returning(['id', 'workspace_id', 'project_id', 'bytes']);
    all.push(...written);
  }
  await work.add(sql, all);
}
