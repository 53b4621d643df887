import { createHash } from 'node:crypto';
import {
  Database,
  Log,
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
/** Of a record that leaves the index. */
const NOTHING: RecordDocument = { title: '', text: '' };
const NO_DOCUMENT = 'Its plugin made no document of it: the log has the reasons of the first hundred.';
/** Each is logged once; so many at most. */
const LOGGED_ROWS = 100;
/** Rows with their contents read at once: each may have 100 kB. */
const ROWS_PER_STATEMENT = 100;

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
  /** See `ClaimLimits`: for records with long texts, so that a claim is not of too many. */
  readonly size?: string;
  /**
   * Of a record that it throws for, none is found, and none of the others suffers: it is tried five times, then `failed`,
   * and logged. After it changed, a migration has every row indexed again: `requeueRows`.
   */
  document(row: Row): RecordDocument;
}): Provider {
  const { kind, table, size, searchedByDefault = true, scope, schema = { properties: {} } } = records;
  const { decode } = jsonCodec(jsonColumns(schema.properties));
  function partsOf(row: Row): RecordDocument {
    const parts = records.document(decode(row) as unknown as Row); // the schema names its columns
    const { title, text, tags = [], path = '', standing = '' } = parts;
    if (
      !Array.isArray(tags) ||
      ![title, text, path, standing, ...tags].every((each) => typeof each === 'string')
    )
      throw new TypeError(
        'document() returned something else than text as title, text, tag, path or standing',
      );
    return parts;
  }
  const stateOf = (
    row: Row,
    { title, text, tags = [], path = '', standing }: RecordDocument,
  ): DocumentState => {
    const content = JSON.stringify([title, text, tags]);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const projectId = row.project_id ?? null;
    const stands = standing === undefined ? {} : { standing };
    const own = { projectId, kind, path, language: null, title, tags, sha256, ...stands };
    return { ...own, updatedAt: row.updated_at };
  };
  return contribute(IndexSources, {
    uses: { database: Database, queues: WorkQueues, log: Log },
    create({ database, queues, log }): IndexSource {
      const queue = queues.open<Row>({ name: table, table });
      const logged = new Set<string>();
      /** Revisions of the rows that `document` failed for: a changed row is tried again. */
      const failing = new Map<string, number>();
      /** Undefined where `document` fails: one record must not end the work on the others. */
      function partsIfAny(row: Row): RecordDocument | undefined {
        try {
          const parts = partsOf(row);
          failing.delete(row.id);
          return parts;
        } catch (error) {
          failing.set(row.id, row.revision);
          if (!logged.has(row.id) && logged.size < LOGGED_ROWS) {
            logged.add(row.id);
            log.error(
              { err: error, table, record: row.id },
              `document() of the ${kind} failed: it is not found`,
            );
          }
          return undefined;
        }
      }
      /** Of the living rows among `ids` that have a document. A row is dropped as soon as its value is made. */
      async function valuesOf<Value>(
        ids: readonly string[],
        valueOf: (row: Row, parts: RecordDocument) => Value,
        signal?: AbortSignal,
      ): Promise<Map<string, Value>> {
        const values = new Map<string, Value>();
        for (let at = 0; at < ids.length; at += ROWS_PER_STATEMENT) {
          if (signal?.aborted) break;
          const some = ids.slice(at, at + ROWS_PER_STATEMENT);
          const rows: Row[] = await database.sql(table).whereIn('id', some).where({ deleted: 0 });
          for (const row of rows) {
            const parts = partsIfAny(row);
            if (parts) values.set(row.id, valueOf(row, parts));
          }
          if (rows.length === ROWS_PER_STATEMENT) await new Promise(setImmediate); // calls run between them
        }
        return values;
      }
      async function living(ids: readonly string[]): Promise<Set<string>> {
        const found = new Set<string>();
        for (let at = 0; at < ids.length; at += IDS_PER_STATEMENT) {
          const some = ids.slice(at, at + IDS_PER_STATEMENT);
          const own: Array<Pick<WorkRow, 'id' | 'revision'>> = await database
            .sql(table)
            .whereIn('id', some)
            .where({ deleted: 0 })
            .select('id', 'revision');
          for (const { id, revision } of own) if (failing.get(id) !== revision) found.add(id);
        }
        return found;
      }
      const states = (ids: readonly string[], signal?: AbortSignal) => valuesOf(ids, stateOf, signal);
      return {
        name: table,
        kinds: [kind],
        searchedByDefault,
        ...(scope !== undefined && { scope }),
        waitingWorkspaces: (which) => queue.waitingWorkspaces(which),
        async claim(limits) {
          const rows = await queue.claim({ ...limits, ...(size !== undefined && { size }) });
          const documents = rows.map((row) => ({
            row,
            parts: row.deleted === 1 ? NOTHING : partsIfAny(row),
          }));
          const failed = documents.filter(({ parts }) => !parts);
          if (failed.length > 0)
            await database.transaction((sql) =>
              queue.settle(
                sql,
                failed.map(({ row: { id, revision } }) => ({
                  id,
                  revision,
                  status: 'failed',
                  error: NO_DOCUMENT,
                })),
              ),
            );
          return documents.flatMap(({ row, parts }) => {
            if (!parts) return [];
            const { id, revision, attempts, workspace_id: workspaceId, deleted } = row;
            const own = { id, workspaceId, text: parts.text, revision, removed: deleted === 1, attempts };
            return [{ ...stateOf(row, parts), ...own }];
          });
        },
        settle: async (outcomes) => {
          await database.transaction((sql) => queue.settle(sql, outcomes));
        },
        states: (ids) => states(ids),
        living,
        statesIn: async (workspace_id, signal) =>
          states(await database.sql(table).where({ workspace_id, deleted: 0 }).pluck('id'), signal),
        texts: (ids) => valuesOf(ids, (_row, { text }) => text),
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
