import { countRows, type Database, type Sql } from '@service-mcp/core';
import type { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { FileGraph } from '../../model.js';
import { readPart } from './file-part.js';
import { batchesOf, GRAPH_VERSION, pruneStructures } from './structures.js';

/** A file of a graph, without its part. */
export interface StoredFile {
  readonly id: string;
  readonly path: string;
  readonly language: string | null;
  /** Hash of its structure; null for a file without one. */
  readonly structure: string | null;
  /** See `FileGraph.note`. */
  readonly note: string | null;
  readonly partHash: string;
}

export interface StoredProject {
  /** 0: nothing is stored. */
  readonly generation: number;
  readonly files: ReadonlyMap<string, StoredFile>;
}

/** The next graph of a project, as far as it differs from the stored one. */
export interface GraphChange {
  readonly projectId: string;
  readonly workspaceId: string;
  /** The generation that was read. */
  readonly after: number;
  /** With their parts where those differ. */
  readonly written: ReadonlyArray<StoredFile & { readonly part?: Uint8Array }>;
  /** Ids of deleted files. */
  readonly removed: readonly string[];
  /** Hashes that files no longer have. */
  readonly released: readonly string[];
  readonly resolveMs: number;
}

const COLUMNS = {
  id: 'file_id',
  path: 'path',
  language: 'language',
  structure: 'structure',
  note: 'note',
  partHash: 'part_hash',
};

export interface GraphStore {
  read(projectId: string): Promise<StoredProject>;
  /**
   * Writes a change as the next generation, in one transaction. False where another process has written meanwhile, the stored
   * graph is of another version, or the project is deleted; nothing is written then.
   */
  write(change: GraphChange): Promise<boolean>;
  /** The last generation of a project; 0 where there is none. */
  generation(projectId: string): Promise<number>;
  /** Paths of the files of a project. */
  paths(projectId: string): Promise<ReadonlySet<string>>;
  /** Parts that changed after a generation, in batches. */
  partsAfter(projectId: string, generation: number): AsyncIterable<readonly FileGraph[]>;
  /** Workspaces with graphs of another {@link GRAPH_VERSION}. */
  outdated(): Promise<readonly string[]>;
  /** Empties those graphs of a workspace: its files must be queued again. */
  reset(workspaceId: string): Promise<void>;
  /** Over all workspaces. `skipped`: files without symbols because of their text; `resolveMs`: the longest last resolution. */
  totals(): Promise<{
    readonly projects: number;
    readonly files: number;
    readonly skipped: number;
    readonly resolveMs: number;
  }>;
  /** Deletes structures that no file uses, among `hashes` or all. */
  prune(workspaceId: string, hashes?: readonly string[]): Promise<void>;
}

export function createGraphStore(database: Database, directory: ProjectDirectory): GraphStore {
  const { sql } = database;
  const filesOf = (project_id: string) => sql('graph_files').where({ project_id });

  /** Takes the next generation; false where `after` is not the last one. */
  async function advance(
    tx: Sql,
    { projectId, workspaceId, after, resolveMs }: GraphChange,
  ): Promise<boolean> {
    const version = GRAPH_VERSION;
    const values = { generation: after + 1, version, resolve_ms: Math.round(resolveMs) };
    const project = tx('graph_projects');
    if (after > 0)
      return (await project.where({ project_id: projectId, generation: after, version }).update(values)) > 0;
    const inserted: unknown[] = await project
      .insert({ project_id: projectId, workspace_id: workspaceId, ...values })
      .onConflict('project_id')
      .ignore()
      .returning('project_id');
    return inserted.length > 0;
  }

  return {
    async read(projectId) {
      const generation = await this.generation(projectId);
      const files: StoredFile[] = generation === 0 ? [] : await filesOf(projectId).select(COLUMNS);
      return { generation, files: new Map(files.map((file) => [file.id, file])) };
    },
    write: (change) =>
      database.transaction(async (tx) => {
        const { projectId, workspaceId, after, written, removed, released } = change;
        if (!(await directory.lock(tx, projectId)) || !(await advance(tx, change))) return false;
        for (const batch of batchesOf(removed)) await tx('graph_files').whereIn('file_id', batch).delete();
        const changed = after + 1;
        const rows = written.flatMap(({ part, ...file }) =>
          part ? [{ ...columnsOf(file), changed, part: Buffer.from(part) }] : [],
        );
        for (const batch of batchesOf(rows))
          await tx('graph_files')
            .insert(batch.map((row) => ({ ...row, workspace_id: workspaceId, project_id: projectId })))
            .onConflict('file_id')
            .merge();
        for (const { part, ...file } of written)
          if (!part) await tx('graph_files').where({ file_id: file.id }).update(columnsOf(file));
        await pruneStructures(tx, workspaceId, released);
        return true;
      }),
    async generation(project_id) {
      const row: { generation: number } | undefined = await sql('graph_projects')
        .where({ project_id })
        .first('generation');
      return row?.generation ?? 0;
    },
    async paths(projectId) {
      return new Set((await filesOf(projectId).pluck('path')) as string[]);
    },
    async *partsAfter(projectId, generation) {
      const ids = (await filesOf(projectId).where('changed', '>', generation).pluck('file_id')) as string[];
      for (const batch of batchesOf(ids)) {
        const rows: Array<{ part: Buffer | ArrayBuffer }> = await sql('graph_files')
          .whereIn('file_id', batch)
          .select('part');
        yield rows.map(({ part }) => readPart(part));
      }
    },
    outdated: () =>
      sql('graph_projects').whereNot({ version: GRAPH_VERSION }).distinct().pluck('workspace_id'),
    reset: (workspace_id) => database.transaction((tx) => emptyGraphs(tx, { workspace_id })),
    async totals() {
      const skipped = sql('graph_files').whereNotNull('note');
      const longest: { ms?: number | null } | undefined = await sql('graph_projects')
        .max({ ms: 'resolve_ms' })
        .first();
      return {
        projects: await countRows(sql('graph_projects')),
        files: await countRows(sql('graph_files')),
        skipped: await countRows(skipped),
        resolveMs: longest?.ms ?? 0,
      };
    },
    prune: (workspaceId, hashes) => pruneStructures(sql, workspaceId, hashes),
  };
}

function columnsOf({ id, partHash, path, language, structure, note }: StoredFile) {
  return { file_id: id, path, language, structure, note, part_hash: partHash };
}

/** Empties the graphs of all workspaces, or of one. Readers notice, since they follow the generation. */
export async function emptyGraphs(sql: Sql, where: { readonly workspace_id?: string } = {}): Promise<void> {
  for (const table of ['graph_files', 'graph_structures']) await sql(table).where(where).delete();
  await sql('graph_projects')
    .where(where)
    .update({ version: GRAPH_VERSION, generation: sql.raw('generation + 1') });
}

/** Deletes the graph of a project, in the transaction in which the project is deleted. */
export async function eraseProject(sql: Sql, project_id: string, workspaceId: string): Promise<void> {
  for (const table of ['graph_files', 'graph_projects']) await sql(table).where({ project_id }).delete();
  await pruneStructures(sql, workspaceId);
}
