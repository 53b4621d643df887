import {
  CallAdmission,
  Clock,
  Database,
  Events,
  Quotas,
  WORK_PENDING,
  ServiceError,
  invalidArgument,
  isStorable,
  optional,
  projectPath,
  provideForCall,
  selectPage,
  storedStatus,
  token,
  whereContains,
  type PageRequest,
  type Sql,
} from '@service-mcp/core';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import { config } from '../config.js';
import type { File, FileContent, FileFilter, FilePage, IncomingFile, IngestReport } from '../schemas.js';
import { foldersOf, slashAfter, type FileQuery } from './folders.js';
import { MAX_PATH_LENGTH } from './file-rules.js';
import { languageNamed, writeBatch } from './ingest.js';
import { Screening } from './screening.js';
import { markIndexing } from './project-ready.js';
import { CONTENT_OF_FILE, pruneContents, type PackedContent } from './contents.js';
import { lockWorkspace } from './workspace-lock.js';
import { unpackText } from './packed-text.js';
import { describeSimilar } from './similar-paths.js';
import { FileWork } from './file-work.js';

/** Files of the admitted projects. */
export interface FileRepository {
  /** Files are durable when it resolves; indexing continues in the background. */
  ingest(projectId: string, files: readonly IncomingFile[], deleteMissing: boolean): Promise<IngestReport>;
  delete(projectId: string, paths: readonly string[]): Promise<number>;
  /** Queues failed files again, all or those of the paths. Returns how many. */
  retry(projectId: string, paths?: readonly string[]): Promise<number>;
  list(projectId: string, filter: FileFilter, request: PageRequest): Promise<FilePage>;
  /** Paths of every admitted workspace that begin with `start`, each once, in order, at most `limit`. */
  pathsStartingWith(start: string, limit: number, projectId?: string): Promise<string[]>;
  /** Lines `start` to `end` (from 1, inclusive). Throws NOT_FOUND and INVALID_ARGUMENT. */
  read(projectId: string, path: string, start?: number, end?: number): Promise<FileContent>;
}
export const FileRepository = token<FileRepository>('workspaces.FileRepository');

/** Paths that one which a project does not have is compared with. */
const MAX_COMPARED = 50_000;

/** Columns by field. */
const COLUMNS = {
  path: 'path',
  language: 'language',
  bytes: 'bytes',
  sha256: 'sha256',
  lines: 'lines',
  indexing_status: 'indexing_status',
  error: 'indexing_error',
  indexed_at: 'indexed_at',
} satisfies Record<keyof File, string>;

export const fileRepository = provideForCall(FileRepository, {
  uses: {
    database: Database,
    clock: Clock,
    events: Events,
    syntax: optional(Syntax),
    settings: config.token,
    work: FileWork,
    quotas: Quotas,
    screening: Screening,
    admission: CallAdmission,
  },
  create: ({ database, clock, events, syntax, settings, work, quotas, screening, admission }) => {
    const living = (project_id: string) =>
      database.sql('files').where({ project_id, workspace_id: admission.workspaceId, deleted: 0 });

    /** Changes files of a project, and wakes its consumers. Returns how many. */
    async function change(projectId: string, changeFiles: (sql: Sql) => Promise<number>): Promise<number> {
      const changed = await database.transaction(async (sql) => {
        await lockWorkspace(sql, admission.workspaceId);
        await sql('projects').where({ id: projectId }).forUpdate().first('id'); // before its files: see markIndexing
        const count = await changeFiles(sql);
        if (count > 0) await markIndexing(sql, { id: projectId });
        return count;
      });
      if (changed > 0) events.wake(WORK_PENDING);
      return changed;
    }

    /** See {@link describeSimilar}. */
    async function similarTo(projectId: string, path: string): Promise<string> {
      if (path.length > MAX_PATH_LENGTH) return ''; // the address of a resource is of any length
      const known = await living(projectId).orderBy('path').limit(MAX_COMPARED).pluck<string[]>('path');
      return describeSimilar(path, known);
    }

    return {
      async ingest(projectId, files, deleteMissing) {
        const report = await writeBatch(
          {
            workspaceId: admission.workspaceId,
            projectId,
            database,
            now: clock.now().toISOString(),
            maxBytes: settings.max_file_bytes,
            work,
            quotas,
            screening,
            syntax,
          },
          files,
          deleteMissing,
        );
        if (report.changed + report.removed > 0) events.wake(WORK_PENDING);
        return report;
      },
      delete: (projectId, paths) =>
        change(projectId, async (sql) => {
          const { files, bytes, hashes } = await work.remove(sql, projectId, paths);
          if (files === 0) return 0;
          await pruneContents(sql, admission.workspaceId, hashes);
          await quotas.count(sql, admission.workspaceId, { files: -files, bytes: -bytes });
          return files;
        }),
      retry: (projectId, paths) => change(projectId, (sql) => work.retry(sql, projectId, paths)),
      async list(
        projectId,
        { path_prefix: written = '', path_contains, language, indexing_status, by_folder = false },
        request,
      ) {
        const path_prefix = projectPath(written);
        const start = Array.from(path_prefix).length;
        const query = living(projectId);
        const status = storedStatus(indexing_status);
        if (path_contains !== undefined) whereContains(query, ['path'], path_contains);
        if (language !== undefined) query.where({ language: languageNamed(language, syntax) });
        if (status !== undefined) query.where({ indexing_status: status });
        if (start > 0) query.whereRaw('substr(path, 1, ?) = ?', [start, path_prefix]);
        if (!by_folder) return selectPage<File, File>(filesOf(query), request, (row) => row);
        const [page, folders] = await Promise.all([
          selectPage<File, File>(
            filesOf(query.clone()).whereRaw(`${slashAfter(database.engine)} = 0`, [start]),
            request,
            (row) => row,
          ),
          foldersOf(query, database, start),
        ]);
        return { ...page, folders };
      },
      async pathsStartingWith(start, limit, projectId) {
        const rows: Array<{ path: string }> = await database
          .sql('files')
          .whereIn('workspace_id', admission.workspaceIds)
          .where({
            deleted: 0,
            ...(projectId !== undefined && isStorable(projectId) && { project_id: projectId }),
          })
          .whereRaw('substr(path, 1, ?) = ?', [Array.from(start).length, start])
          .distinct('path')
          .orderBy('path')
          .limit(limit);
        return rows.map(({ path }) => path);
      },
      async read(projectId, path, start, end) {
        // One statement, so that no concurrent ingest can delete the content in between.
        const row = (await database
          .sql('files')
          .join('file_contents', CONTENT_OF_FILE)
          .where({
            'files.project_id': projectId,
            'files.workspace_id': admission.workspaceId,
            'files.path': path,
            'files.deleted': 0,
          })
          .first('files.language', 'files.lines', 'file_contents.packed')) as
          | (PackedContent & { language: string | null; lines: number })
          | undefined;
        if (!row) {
          const sentences = [
            `The project has no file ${path.slice(0, 200)}.`,
            await similarTo(projectId, path),
            'Call files_list or search_hybrid for its paths.',
          ];
          throw new ServiceError('NOT_FOUND', sentences.filter((each) => each !== '').join(' '));
        }
        return { path, language: row.language, ...linesOf(unpackText(row.packed), row.lines, start, end) };
      },
    };
  },
});

function filesOf(query: FileQuery): FileQuery {
  return query.select(COLUMNS).orderBy('path');
}

function linesOf(content: string, total_lines: number, start = 1, end = Infinity) {
  const last = Math.max(total_lines, 1);
  if (start > last) throw invalidArgument('/start_line', `the file has ${total_lines} lines`);
  if (end < start) throw invalidArgument('/end_line', 'must not be before start_line');
  const end_line = Math.min(end, last);
  if (start === 1 && end_line === last) return { content, start_line: start, end_line, total_lines };
  const lines = content
    .split('\n')
    .slice(start - 1, end_line)
    .join('\n');
  const isOpen = end_line === last && !content.endsWith('\n');
  return { content: isOpen ? lines : `${lines}\n`, start_line: start, end_line, total_lines };
}
