import type { Query, Sql } from '@service-mcp/core';
import { batchesOf, IDS_PER_STATEMENT } from './batches.js';

/** A file whose path is gone, and the path that it lives on at. */
interface FileMove {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly path: string;
  readonly moved_to: string;
}

/** A file that has just been removed from its project. */
export interface GoneFile {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Notes which of the files that left a project were moved: exactly one other file of it has their text. In the transaction
 * of the removal, after it: who renames a file sends it under its new path before the old one goes, or in the same batch.
 */
export async function noteMoves(sql: Sql, gone: readonly GoneFile[]): Promise<void> {
  const moves = () => sql<FileMove>('file_moves');
  for (const batch of batchesOf(gone, IDS_PER_STATEMENT)) {
    const [{ workspace_id, project_id }] = batch as [GoneFile];
    const paths = batch.map(({ path }) => path);
    const targets = await onlyPaths(sql, batch);
    const moved = batch.flatMap(({ path, sha256 }): FileMove[] => {
      const moved_to = targets.get(sha256);
      return moved_to === undefined ? [] : [{ workspace_id, project_id, path, moved_to }];
    });
    // What left a path before was another file.
    await moves().where({ project_id }).whereIn('path', paths).delete();
    if (moved.length === 0) continue;
    const next = new Map(moved.map(({ path, moved_to }) => [path, moved_to]));
    const former = await moves().where({ project_id }).whereIn('moved_to', paths);
    for (const { path, moved_to } of former) {
      const last = next.get(moved_to);
      if (last === path) await moves().where({ project_id, path }).delete(); // it is back
      else if (last !== undefined) await moves().where({ project_id, path }).update({ moved_to: last });
    }
    await moves().insert(moved);
  }
}

/** The path of each text that one file alone of the project has. */
async function onlyPaths(sql: Sql, gone: readonly GoneFile[]): Promise<Map<string, string>> {
  const [{ workspace_id, project_id }] = gone as [GoneFile];
  const hashes = new Set(gone.filter(({ bytes }) => bytes > 0).map(({ sha256 }) => sha256)); // empty files say nothing
  const found: Array<Pick<GoneFile, 'path' | 'sha256'>> = await sql('files')
    .where({ workspace_id, project_id, deleted: 0 })
    .whereIn('sha256', [...hashes])
    .groupBy('sha256')
    .havingRaw('count(*) = 1')
    .select('sha256')
    .min({ path: 'path' });
  return new Map(found.map(({ sha256, path }) => [sha256, path]));
}

/** Moves of the projects from paths that have no file to paths that have one; `side` is the column that is asked for. */
export async function movesOf(
  sql: Sql,
  projects: Query,
  side: 'path' | 'moved_to',
  paths: readonly string[],
): Promise<Array<Pick<FileMove, 'path' | 'moved_to'>>> {
  const fileAt = (column: string) =>
    sql('files')
      .select(sql.raw('1'))
      .whereRaw('files.project_id = file_moves.project_id')
      .whereRaw('files.path = ??', [`file_moves.${column}`])
      .where('files.deleted', 0);
  return sql<FileMove>('file_moves')
    .whereIn('file_moves.project_id', projects)
    .whereIn(`file_moves.${side}`, [...paths])
    .whereExists(fileAt('moved_to'))
    .whereNotExists(fileAt('path'))
    .select('file_moves.path', 'file_moves.moved_to');
}
