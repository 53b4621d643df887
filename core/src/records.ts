import type { Knex } from 'knex';
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { notFound } from './errors.js';
import { uuidv7 } from './id.js';
import { selectPage, type PageOf, type PageRequest } from './paging.js';
import type { EventType } from './plugin.js';
import { insertIfAbsent } from './record-table.js';
import { rowOwner } from './row-owner.js';
import { Timestamp, closed } from './schemas.js';
import { Events, type RecordEvents } from './change-events.js';
import { Database, type Sql } from './database.js';
import { CallAdmission, Clock } from './services.js';
import { provideForCall, type Provider, type Token } from './token.js';
import { WORK_PENDING, WorkQueues } from './work.js';
import { workspaceRows } from './workspace-data.js';

const columnsOfEach = {
  id: Type.String(),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  indexing_status: Type.Enum(['pending', 'indexed', 'failed']),
};

/** A record as tools return it: the columns of every record, which {@link Records} fills in, and the plugin's own. */
export function RecordSchema<P extends TProperties>(own: P) {
  return Type.Object({ ...columnsOfEach, ...own }, closed);
}

type RecordRow = Static<TObject<typeof columnsOfEach>>;

/** Declares the events of records for `definePlugin`: each has the data `{ id }`. `descriptions` are by type. */
export function recordEvents(scope: string, descriptions: Readonly<Record<string, string>>): EventType[] {
  const data = Type.Object({ id: Type.String({ description: 'Id of the record' }) }, closed);
  return Object.entries(descriptions).map(([type, description]) => ({ type, description, scope, data }));
}

/** The columns that a plugin decides. */
export type RecordValues<Row extends RecordRow> = Omit<Row, keyof RecordRow>;

/**
 * The records of one table that a call may see: records of other workspaces are absent. A change runs in one
 * transaction, makes the row pending in its work queue and records an event with the data `{ id }`.
 */
export interface Records<Row extends RecordRow> {
  /** Throws NOT_FOUND. */
  get(id: string): Promise<Row>;
  /** Records with these values, newest first. An undefined value does not filter. */
  list(
    paging: PageRequest,
    where?: { readonly [Column in keyof Row]?: Row[Column] | undefined },
  ): Promise<PageOf<Row>>;
  /**
   * Creates a record in the workspace that the call is admitted to. Where `unique` is declared and a record with the
   * same values exists, returns that one unchanged and records no event.
   */
  create(values: RecordValues<Row>, event: string): Promise<Row>;
  /** Throws NOT_FOUND. Changes nothing and records no event where the record has these values. */
  update(id: string, values: Partial<RecordValues<Row>>, event: string): Promise<Row>;
  /** Returns the record as it was. Its row stays until it has left the search index. Throws NOT_FOUND. */
  remove(id: string, event: string): Promise<Row>;
}

/**
 * Provides {@link Records} over a table that a migration made with {@link createRecordTable}, and contributes
 * what belongs to them: the owner of the resource for `access.in`, and the rows as data of their workspace (counted,
 * exported, erased with it).
 */
export function provideRecords<Row extends RecordRow>(
  target: Token<Records<Row>>,
  definition: {
    readonly table: string;
    /** One record in a word, for `access.in.resource`, messages and exports: `bookmark`. */
    readonly resource: string;
    /** The tool that lists the ids, named to callers who ask for a record that they may not see. */
    readonly listedBy: string;
    /** Made with {@link RecordSchema}: its properties are the columns that are read and exported. */
    readonly schema: { readonly properties: Readonly<Record<keyof Row, unknown>> };
    /** Columns of an index of {@link addUniqueIndex}: makes `create` idempotent. */
    readonly unique?: readonly (keyof Row & string)[];
  },
): Provider[] {
  const { table, resource, listedBy, schema, unique } = definition;
  const columns = Object.keys(schema.properties);
  const records = provideForCall(target, {
    uses: { database: Database, events: Events, clock: Clock, queues: WorkQueues, admission: CallAdmission },
    create({ database, events, clock, queues, admission }): Records<Row> {
      const queue = queues.open({ name: table, table });
      const visible = (sql: Sql) =>
        sql(table).where({ deleted: 0 }).whereIn('workspace_id', admission.workspaceIds);
      const find = async (sql: Sql, id: string): Promise<Row> => {
        const [row] = (await visible(sql).where({ id }).select(columns)) as Row[]; // the schema names its columns
        if (!row) throw notFound(resource, id, listedBy);
        return row;
      };
      const change = async <T>(work: (sql: Sql, record: RecordEvents) => Promise<T>): Promise<T> => {
        const result = await events.change(work);
        events.wake(WORK_PENDING);
        return result;
      };
      const now = () => clock.now().toISOString();
      return {
        get: (id) => find(database.sql, id),
        list(paging, where = {}) {
          const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
          const found = visible(database.sql).where(Object.fromEntries(wanted));
          const newest = found.orderBy('created_at', 'desc').orderBy('id', 'desc');
          return selectPage<Row, Row>(newest.select(columns), paging, (row) => row);
        },
        create(values, event) {
          const { workspaceId } = admission;
          const row = { ...values, id: uuidv7(), workspace_id: workspaceId };
          const added = { ...row, created_at: now(), updated_at: now(), ...queue.added() };
          return change(async (sql, record) => {
            const { id, created } = await insertIfAbsent(sql, table, added, unique);
            if (created) record({ type: event, workspaceId, data: { id } });
            return find(sql, id);
          });
        },
        update(id, values, event) {
          const differs = (query: Knex.QueryBuilder) => {
            void query.whereRaw('1 = 0');
            const columnValues = Object.entries(values) as Array<[string, Knex.Value]>; // columns of the table
            for (const [column, value] of columnValues)
              void query.orWhereRaw('?? IS DISTINCT FROM ?', [column, value]);
          };
          return change(async (sql, record) => {
            const changed = { ...values, updated_at: now(), ...queue.changed(sql) };
            const count = await visible(sql).where({ id }).where(differs).update(changed);
            const row = await find(sql, id);
            if (count > 0) record({ type: event, workspaceId: row.workspace_id, data: { id } });
            return row;
          });
        },
        remove: (id, event) =>
          change(async (sql, record) => {
            const row = await find(sql, id);
            const { workspace_id } = row;
            const removed = await queue.remove(sql, { id, workspace_id });
            if (removed > 0) record({ type: event, workspaceId: workspace_id, data: { id } });
            return row;
          }),
      };
    },
  });
  const exported = columns.filter((column) => column !== 'workspace_id' && column !== 'indexing_status');
  return [
    records,
    rowOwner({ resource, table, listedBy }),
    workspaceRows([{ table, record: resource, columns: exported, where: { deleted: 0 } }]),
  ];
}
