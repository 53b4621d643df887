import { createHash } from 'node:crypto';
import {
  Database,
  WorkQueues,
  contribute,
  jsonCodec,
  jsonColumns,
  type Provider,
  type WorkRow,
} from '@service-mcp/core';
import { IndexSources, type DocumentState, type IndexSource } from './index-source.js';

/** The searchable parts of a record. */
export interface RecordDocument {
  readonly title: string;
  readonly text: string;
  /** All of them can be searched by; default none. */
  readonly tags?: readonly string[];
  /** How it stands, where it is not simply in force: shown beside its results, not searched. */
  readonly standing?: string | undefined;
  /** Names the record where a file has its path; default empty. */
  readonly path?: string;
}

/** A row of a table that search indexes. */
interface IndexedRow extends WorkRow {
  readonly updated_at: string;
  readonly project_id?: string | null;
}

const IDS_PER_STATEMENT = 500;

/**
 * Has search index the rows of a table: a work queue (`addWorkColumns`) with an `updated_at` and perhaps a `project_id`.
 * Deleting is `queue.remove`, so that the document leaves the index before its row goes.
 */
export function indexRecords<Row extends IndexedRow>(records: {
  /** The word to filter by, and to tell results apart: `bookmark`. */
  readonly kind: string;
  readonly table: string;
  /** False: found only by searches that name the kind. Default true. */
  readonly searchedByDefault?: boolean;
  /** See `IndexSource`. */
  readonly scope?: string;
  /** The schema of the records where they have arrays or objects, which are JSON in their columns. */
  readonly schema?: { readonly properties: Readonly<Record<string, unknown>> };
  document(row: Row): RecordDocument;
}): Provider {
  const { kind, table, searchedByDefault = true, scope, schema = { properties: {} } } = records;
  const { decode } = jsonCodec(jsonColumns(schema.properties));
  const documentOf = (row: Row): DocumentState & { readonly text: string } => {
    const { title, text, tags = [], path = '', standing } = records.document(decode(row) as unknown as Row); // the schema names its columns
    const content = JSON.stringify([title, text, tags]);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const projectId = row.project_id ?? null;
    const stands = standing === undefined ? {} : { standing };
    const own = { projectId, kind, path, language: null, title, text, tags, sha256, ...stands };
    return { ...own, updatedAt: row.updated_at };
  };
  return contribute(IndexSources, {
    uses: { database: Database, queues: WorkQueues },
    create({ database, queues }): IndexSource {
      const queue = queues.open<Row>({ name: table, table });
      async function livingRows(ids: readonly string[], ...columns: string[]): Promise<Row[]> {
        const rows: Row[] = [];
        for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
          const some = ids.slice(at, at + IDS_PER_STATEMENT);
          rows.push(
            ...((await database
              .sql(table)
              .whereIn('id', some)
              .where({ deleted: 0 })
              .select(...columns)) as Row[]),
          );
        }
        return rows;
      }
      const byIds = async (ids: readonly string[]) =>
        new Map((await livingRows(ids)).map((row) => [row.id, documentOf(row)]));
      return {
        name: table,
        kinds: [kind],
        searchedByDefault,
        ...(scope !== undefined && { scope }),
        waitingWorkspaces: (which) => queue.waitingWorkspaces(which),
        async claim(limits) {
          const rows = await queue.claim(limits);
          return rows.map((row) => ({
            ...documentOf(row),
            id: row.id,
            workspaceId: row.workspace_id,
            revision: row.revision,
            removed: row.deleted === 1,
            attempts: row.attempts,
          }));
        },
        settle: async (outcomes) => {
          await database.transaction((sql) => queue.settle(sql, outcomes));
        },
        states: byIds,
        living: async (ids) => new Set((await livingRows(ids, 'id')).map(({ id }) => id)),
        async statesIn(workspace_id) {
          const rows: Row[] = await database.sql(table).where({ workspace_id, deleted: 0 });
          return new Map(rows.map((row) => [row.id, documentOf(row)]));
        },
        async texts(ids) {
          return new Map([...(await byIds(ids))].map(([id, { text }]) => [id, text]));
        },
        newest: (workspaceId, limit) => queue.newest(workspaceId, limit),
        glance: (workspace_id, project_id) =>
          queue.glance({ workspace_id, ...(project_id !== undefined && { project_id }) }),
        indexedTotal: async (workspace_id) => (await queue.counts({ workspace_id })).indexed,
        requeue: (workspace_id, ids) =>
          database.transaction((sql) =>
            queue.requeue(sql, (rows) => {
              if (workspace_id !== undefined) void rows.where({ workspace_id });
              return ids ? rows.whereIn('id', ids) : rows;
            }),
          ),
      };
    },
  });
}
