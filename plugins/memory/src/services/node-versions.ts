import { Database, provide, selectPage, token, type PageOf, type PageRequest } from '@service-mcp/core';
import type { Query, RecordChange, Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { validAt } from './validity.js';

const VERSIONS = 'memory_node_versions';
/** Rows of one statement; SQLite takes at most 500 of Knex. */
const INSERT_ROWS = 250;

/** One version of a node: what was recorded, when and by whom. */
export interface NodeVersion {
  /** From 1. */
  readonly version: number;
  readonly recorded_at: string;
  readonly recorded_by: string;
  readonly reason: string | null;
  readonly node: KnowledgeNode;
}

export interface VersionRow extends Omit<NodeVersion, 'node'> {
  readonly node_id: string;
  readonly workspace_id: string;
  readonly node: string;
}

/**
 * Keeps a version of a node after each change, in its transaction. A deleted node loses its versions: what somebody
 * wants gone is gone.
 */
export async function followVersions(
  sql: Sql,
  node: KnowledgeNode,
  change: RecordChange,
  recorded_by: string,
): Promise<void> {
  const row = versionRow(node);
  const versions = () => sql<VersionRow>(VERSIONS).where({ node_id: row.node_id });
  if (change === 'removed') {
    await versions().delete();
    return;
  }
  const last = await versions().orderBy('version', 'desc').first('version', 'recorded_at');
  // A writer takes its time before it waits for another one: without this, a later version could have an earlier time.
  const recorded_at = last && last.recorded_at > node.updated_at ? last.recorded_at : node.updated_at;
  await sql(VERSIONS).insert({ ...row, version: (last?.version ?? 0) + 1, recorded_at, recorded_by });
}

/** The columns of a version that say what the node was. */
export function versionRow(node: KnowledgeNode) {
  const { id: node_id, workspace_id, node_type, status, valid_from, valid_to } = node;
  return { node_id, workspace_id, node_type, status, valid_from, valid_to, node: JSON.stringify(node) };
}

/** Inserts versions that are not there; returns how many. */
export async function addVersions(sql: Sql, rows: readonly VersionRow[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < rows.length; at += INSERT_ROWS) {
    const added = sql(VERSIONS).insert(rows.slice(at, at + INSERT_ROWS));
    count += ((await added.onConflict(['node_id', 'version']).ignore().returning('version')) as unknown[])
      .length;
  }
  return count;
}

/** Notes why the last change of a node was made, in the same transaction. */
export async function noteReason(sql: Sql, node_id: string, reason: string | undefined): Promise<void> {
  if (reason === undefined) return;
  const versions = () => sql<VersionRow>('memory_node_versions').where({ node_id });
  const last = await versions().orderBy('version', 'desc').first('version');
  if (last) await versions().where({ version: last.version }).update({ reason });
}

/** The versions that were recorded by a time as the last ones, and valid then. */
export function versionsAsOf(sql: Sql, workspaceIds: readonly string[], time: string): Query {
  return lastBy(sql(VERSIONS).whereIn(`${VERSIONS}.workspace_id`, workspaceIds), sql, time);
}

/** The same of some nodes. Not narrowed to a workspace: SQLite would read all of it instead of these. */
export function versionsOfNodesAsOf(sql: Sql, nodeIds: readonly string[], time: string): Query {
  return lastBy(sql(VERSIONS).whereIn(`${VERSIONS}.node_id`, nodeIds), sql, time);
}

function lastBy(versions: Query, sql: Sql, time: string): Query {
  const recorded = versions.where(`${VERSIONS}.recorded_at`, '<=', time).whereNotExists((later) =>
    later
      .select(sql.raw('1'))
      .from(`${VERSIONS} as later`)
      .whereRaw('later.node_id = ?? AND later.version > ??', [`${VERSIONS}.node_id`, `${VERSIONS}.version`])
      .where('later.recorded_at', '<=', time),
  );
  return validAt(recorded, time, VERSIONS);
}

/** The recorded past of nodes. Callers pass the workspaces that they were admitted to. */
export interface NodeVersions {
  /** The versions of a node, newest first. */
  history(nodeId: string, request: PageRequest): Promise<PageOf<NodeVersion>>;
  /**
   * The nodes that were held true at a time: recorded by then, in the version of then, and valid then. Newest first by
   * the beginning of their validity.
   */
  asOf(
    time: string,
    where: {
      readonly workspaceIds: readonly string[];
      readonly node_type?: string;
      readonly status?: string;
      readonly node_id?: string;
    },
    request: PageRequest,
  ): Promise<PageOf<KnowledgeNode>>;
}
export const NodeVersions = token<NodeVersions>('memory.NodeVersions');

const toNode = ({ node }: VersionRow): KnowledgeNode => JSON.parse(node) as KnowledgeNode;

export const nodeVersions = provide(NodeVersions, {
  uses: { database: Database },
  create: ({ database }): NodeVersions => ({
    history(node_id, request) {
      const versions = database
        .sql('memory_node_versions')
        .where({ node_id })
        .orderBy('version', 'desc')
        .select('version', 'recorded_at', 'recorded_by', 'reason', 'node');
      return selectPage<VersionRow, NodeVersion>(versions, request, (row) => ({ ...row, node: toNode(row) }));
    },
    asOf(time, { workspaceIds, ...where }, request) {
      const versions = versionsAsOf(database.sql, workspaceIds, time);
      for (const [column, value] of Object.entries(where))
        if (value !== undefined) void versions.where(`${VERSIONS}.${column}`, value);
      const ordered = versions
        .orderBy(`${VERSIONS}.valid_from`, 'desc')
        .orderBy(`${VERSIONS}.node_id`, 'desc');
      return selectPage<VersionRow, KnowledgeNode>(ordered.select(`${VERSIONS}.node`), request, toNode);
    },
  }),
});
