import { createHash } from 'node:crypto';
import type { Database, Sql } from '@service-mcp/core';
import { derivationVersion } from '@service-mcp/plugin-syntax/contract';
import type { ProjectDirectory, QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import type { SourceFile } from '../../model.js';

const here = (path: string): URL => new URL(path, import.meta.url);

/** Version of structures and graphs. It changes with the code that builds them; graphs of another version are built again. */
export const GRAPH_VERSION = derivationVersion(
  ['../../resolve/', '../thread/graph-tasks.js', './file-part.js', './structures.js'].map(here),
);

/** What a text alone determines of a `SourceFile`. */
export type Structure = Pick<SourceFile, 'symbols' | 'code' | 'complete'>;

const ROWS_PER_STATEMENT = 200;

/**
 * Key of a structure. The path is part of it: by its ending and by conventions for tests, it decides how a text is read.
 * Not the SHA-256 of the queued file: the text of one that was deleted meanwhile is empty.
 */
export function structureHash({
  path,
  language,
  text,
}: Pick<QueuedFile, 'path' | 'language' | 'text'>): string {
  const head = JSON.stringify([GRAPH_VERSION, language, path]);
  return createHash('sha256').update(head).update(text).digest('base64url');
}

/** Structures of texts by their hash, packed: a text that was parsed before is not parsed again. */
export interface StructureStore {
  /** Those of the hashes that are stored. */
  existing(workspaceId: string, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Stores structures of files of these projects. False where all of them are deleted: nothing is stored then, which nobody
   * would delete.
   */
  insert(
    workspaceId: string,
    projectIds: Iterable<string>,
    structures: ReadonlyMap<string, Uint8Array>,
  ): Promise<boolean>;
  /** In batches. */
  read(
    workspaceId: string,
    hashes: readonly string[],
  ): AsyncIterable<ReadonlyMap<string, Uint8Array | ArrayBuffer>>;
}

export function createStructureStore(database: Database, directory: ProjectDirectory): StructureStore {
  const { sql } = database;
  const rows = (workspace_id: string) => sql('graph_structures').where({ workspace_id });
  const isAnyThere = async (tx: Sql, projectIds: Iterable<string>): Promise<boolean> => {
    for (const id of projectIds) if (await directory.lock(tx, id)) return true;
    return false;
  };
  return {
    async existing(workspaceId, hashes) {
      const found: string[] = [];
      for (const batch of batchesOf(hashes))
        found.push(...((await rows(workspaceId).whereIn('hash', batch).pluck('hash')) as string[]));
      return new Set(found);
    },
    insert: (workspace_id, projectIds, structures) =>
      database.transaction(async (tx) => {
        if (!(await isAnyThere(tx, projectIds))) return false;
        for (const batch of batchesOf([...structures]))
          await tx('graph_structures')
            .insert(batch.map(([hash, packed]) => ({ workspace_id, hash, packed: Buffer.from(packed) })))
            .onConflict(['workspace_id', 'hash'])
            .ignore();
        return true;
      }),
    async *read(workspaceId, hashes) {
      for (const batch of batchesOf(hashes)) {
        const found = (await rows(workspaceId).whereIn('hash', batch).select('hash', 'packed')) as Array<{
          hash: string;
          packed: Buffer | ArrayBuffer;
        }>;
        yield new Map(found.map(({ hash, packed }) => [hash, packed]));
      }
    },
  };
}

/** Deletes structures of a workspace that no file uses, among `hashes` or all. */
export async function pruneStructures(
  sql: Sql,
  workspaceId: string,
  hashes?: readonly string[],
): Promise<void> {
  for (const batch of hashes ? batchesOf(hashes) : [undefined]) {
    const unused = sql('graph_structures')
      .where({ workspace_id: workspaceId })
      .whereNotExists((used) =>
        used
          .select(sql.raw('1'))
          .from('graph_files')
          .whereRaw('graph_files.workspace_id = graph_structures.workspace_id')
          .whereRaw('graph_files.structure = graph_structures.hash'),
      );
    if (batch) void unused.whereIn('hash', batch);
    await unused.delete();
  }
}

export function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS_PER_STATEMENT) yield all.slice(at, at + ROWS_PER_STATEMENT);
}
