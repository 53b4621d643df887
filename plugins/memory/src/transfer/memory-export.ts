import { Clock, Database, WorkspaceData, contribute, provide, token, type Sql } from '@service-mcp/core';
import type { KnowledgeEdge } from '../edges.js';
import { EDGE_COLUMNS, livingEdges } from '../services/edge-store.js';
import { CODECS, KINDS, type Kind, type MemoryRecord } from '../services/kinds.js';
import type { NodeVersion } from '../services/node-versions.js';

/** Rows of one query: the largest records have 100 kB of content and some metadata. */
const PAGE_ROWS = 100;
/** Columns of a workspace and its index: another workspace has its own. */
const LEFT_OUT = new Set(['workspace_id', 'indexing_status', 'indexing_error']);
const ORDER = ['event', 'node', 'edge'] as const;

/** A line of an export, and the place after it. */
interface Exported {
  readonly record: { readonly record: string; readonly [field: string]: unknown };
  readonly place: string;
}

/** Reads the memory of a workspace as lines. */
export interface MemoryExport {
  /**
   * Events, then nodes, each with its versions, then edges; each kind in the order of its ids. Each record is as it was
   * when its page was read, and the last version of a node says the same; records made since `before` (RFC 3339) are left
   * out. Holds a page in memory.
   */
  read(
    workspaceId: string,
    options?: { readonly after?: string; readonly before?: string },
  ): AsyncIterable<Exported>;
}
export const MemoryExport = token<MemoryExport>('memory.Export');

export const memoryExport = provide(MemoryExport, {
  uses: { database: Database, clock: Clock },
  create: ({ database: { sql }, clock }): MemoryExport => ({
    async *read(workspaceId, { after = 'event', before = clock.now().toISOString() } = {}) {
      const [kind = 'event', id = '', version = '', newest = ''] = after.split(' ');
      const scope = { workspaceId, before, clock };
      for (const each of ORDER.slice(
        Math.max(
          0,
          ORDER.findIndex((one) => one === kind),
        ),
      )) {
        const from = each === kind ? id : '';
        if (each === 'edge') yield* readEdges(sql, scope, from);
        else {
          const versions = { after: Number(version) || 0, newest: Number(newest) || 0 };
          yield* readRecords(sql, each, scope, { id: from, versions });
        }
      }
    },
  }),
});

/** The lines are the memory in exports of a workspace too. */
export const exportedMemory = contribute(WorkspaceData, {
  uses: { lines: MemoryExport },
  create: ({ lines }): WorkspaceData => ({
    scope: 'memory:read',
    erase: () => Promise.resolve(), // its tables are erased where they are declared
    async export(workspaceId, after, limit) {
      const records: Exported['record'][] = [];
      let next: string | undefined;
      for await (const { record, place } of lines.read(workspaceId, {
        ...(after !== undefined && { after }),
      })) {
        records.push(record);
        next = place;
        if (records.length === limit) return { records, next };
      }
      return { records, next: undefined };
    },
  }),
});

interface Scope {
  readonly workspaceId: string;
  readonly before: string;
  readonly clock: Clock;
}

async function* readRecords(
  sql: Sql,
  kind: Kind,
  { workspaceId: workspace_id, before }: Scope,
  from: { readonly id: string; readonly versions: Versions },
): AsyncGenerator<Exported> {
  const { columns, decode } = CODECS[kind];
  const newestVersion =
    kind === 'node'
      ? 'coalesce((SELECT max(version) FROM memory_node_versions WHERE node_id = memory_nodes.id), 0)'
      : '0';
  if (kind === 'node' && from.id !== '') {
    // The place comes back from the caller, who may have put a node of another workspace into it.
    const own: unknown = await sql('memory_nodes')
      .where({ id: from.id, workspace_id, deleted: 0 })
      .first('id');
    if (own !== undefined) yield* readVersions(sql, from.id, from.versions);
  }
  for (let last = from.id; ;) {
    const rows = (await sql(KINDS[kind].table)
      .where({ workspace_id, deleted: 0 })
      .where('id', '>', last)
      // Or stored before it by this clock, where that of the exporting machine was ahead.
      .where((made) => made.where('created_at', '<=', before).orWhere('pending_since', '<=', before))
      .orderBy('id')
      .limit(PAGE_ROWS)
      .select([...columns, sql.raw(`${newestVersion} AS newest`)])) as Array<{ newest: number }>;
    for (const { newest, ...row } of rows) {
      const record = decode(row) as unknown as MemoryRecord; // the schema names its columns
      last = record.id;
      yield { record: { record: kind, ...shown(record) }, place: `${kind} ${last} 0 ${newest}` };
      if (kind === 'node') yield* readVersions(sql, last, { after: 0, newest });
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

/** Versions of a node that are to be read. */
interface Versions {
  readonly after: number;
  /** That of the node as it was read: what changed since is left out. */
  readonly newest: number;
}

async function* readVersions(
  sql: Sql,
  node_id: string,
  { after, newest }: Versions,
): AsyncGenerator<Exported> {
  for (let last = after; ;) {
    const rows = (await sql('memory_node_versions')
      .where({ node_id })
      .where('version', '>', last)
      .where('version', '<=', newest)
      .orderBy('version')
      .limit(PAGE_ROWS)
      .select('version', 'recorded_at', 'recorded_by', 'reason', 'node')) as Array<
      Omit<NodeVersion, 'node'> & { readonly node: string }
    >;
    for (const { node, ...row } of rows) {
      last = row.version;
      const then = shown(JSON.parse(node) as object); // written by followVersions
      yield {
        record: { record: 'version', node_id, ...row, node: then },
        place: `node ${node_id} ${last} ${newest}`,
      };
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

async function* readEdges(
  sql: Sql,
  { workspaceId, before, clock }: Scope,
  from: string,
): AsyncGenerator<Exported> {
  for (let last = from; ;) {
    const now = clock.now().toISOString();
    const rows = (await livingEdges(sql, [workspaceId])
      .where({ workspace_id: workspaceId })
      .where('id', '>', last)
      // Or imported from a machine whose clock was ahead: this one makes no edge of a time to come.
      .where((made) => made.where('created_at', '<=', before).orWhere('created_at', '>', now))
      .orderBy('id')
      .limit(PAGE_ROWS)
      .select(EDGE_COLUMNS)) as KnowledgeEdge[];
    for (const row of rows) {
      last = row.id;
      yield { record: { record: 'edge', ...shown(row) }, place: `edge ${last}` };
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

function shown(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !LEFT_OUT.has(name)));
}
