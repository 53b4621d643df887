import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '@service-mcp/core';
import { CODECS, type MemoryRecord } from '../services/kinds.js';
import type { VersionRow } from '../services/node-versions.js';
import type { NodeLine } from './lines.js';
import type { ImportScope } from './record-of-line.js';

const TABLE = 'memory_unfinished_histories';
/** Columns of a node that the workspace may change without a version of it. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['project_id', 'indexing_status', 'indexing_error']);

/** A node whose lines ended within its history, or where its versions could have followed. */
export interface UnfinishedHistory {
  readonly node_id: string;
  readonly workspace_id: string;
  readonly imported_by: string;
  readonly imported_at: string;
  /** The newest version that was imported: with a newer one, the node was changed since. */
  readonly last_version: number;
  /** 1: the node came without versions, and was given its first one. */
  readonly is_implied: number;
}

/**
 * The unfinished histories among these nodes that their importer may complete, since nobody changed the nodes since.
 * Locks the nodes until the transaction ends.
 */
export async function lockUnfinished(
  sql: Sql,
  nodeIds: readonly string[],
  { workspaceId: workspace_id, userId: imported_by }: ImportScope,
): Promise<Map<string, UnfinishedHistory>> {
  const unfinished = new Map<string, UnfinishedHistory>();
  if (nodeIds.length === 0) return unfinished;
  const noted = () => sql<UnfinishedHistory>(TABLE).where({ workspace_id, imported_by });
  const ids = await noted().whereIn('node_id', nodeIds).pluck('node_id');
  if (ids.length === 0) return unfinished;
  await sql('memory_nodes').whereIn('id', ids).orderBy('id').forUpdate().select('id'); // SQLite has one writer anyway
  const newest = (await sql('memory_node_versions')
    .whereIn('node_id', ids)
    .groupBy('node_id')
    .select('node_id')
    .max({ version: 'version' })) as Array<Pick<VersionRow, 'node_id' | 'version'>>;
  const versions = new Map(newest.map(({ node_id, version }) => [node_id, version]));
  for (const row of await noted().whereIn('node_id', ids))
    if (versions.get(row.node_id) === row.last_version) unfinished.set(row.node_id, row);
  return unfinished;
}

/** Whether a stored node is the one of a line. */
export async function isNodeOfLine(sql: Sql, line: NodeLine, record: MemoryRecord): Promise<boolean> {
  const { columns, decode } = CODECS.node;
  const row = (await sql('memory_nodes').where({ id: record.id, deleted: 0 }).first(columns)) as
    | object
    | undefined;
  if (!row) return false;
  const stored = decode(row) as Readonly<Record<string, unknown>>;
  return Object.entries(record).every(
    ([column, value]) =>
      NOT_COMPARED.has(column) ||
      (line as Readonly<Record<string, unknown>>)[column] === undefined || // the time or the caller of the import
      isDeepStrictEqual(value, stored[column]),
  );
}

/** Notes that the lines of a node ended within its history. */
export async function noteUnfinished(
  sql: Sql,
  node_id: string,
  isImplied: boolean,
  { workspaceId: workspace_id, userId: imported_by, now: imported_at }: ImportScope,
): Promise<void> {
  const newest = (await sql('memory_node_versions')
    .where({ node_id })
    .max({ version: 'version' })
    .first()) as { version: number | null };
  const row: UnfinishedHistory = {
    node_id,
    workspace_id,
    imported_by,
    imported_at,
    last_version: newest.version ?? 0,
    is_implied: isImplied ? 1 : 0,
  };
  await sql(TABLE).insert(row).onConflict('node_id').merge();
}

export async function forgetUnfinished(sql: Sql, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length > 0) await sql(TABLE).whereIn('node_id', nodeIds).delete();
}

/** Forgets the histories that nobody completed since a time. */
export async function expireUnfinished(sql: Sql, time: string): Promise<void> {
  await sql(TABLE).where('imported_at', '<', time).delete();
}
