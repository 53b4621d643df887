import type { Knex } from 'knex';
import { Type, type Static, type TObject, type TProperties } from 'typebox';
import type { Admission } from './caller.js';
import { notFound } from './errors.js';
import { uuidv7 } from './id.js';
import { selectPage, type PageOf, type PageRequest } from './paging.js';
import type { EventType } from './plugin.js';
import { insertIfAbsent } from './record-table.js';
import { rowOwner, type MistakenRows } from './row-owner.js';
import { Quotas } from './quotas.js';
import { Timestamp, closed, closedAs, nullable } from './schemas.js';
import { Events, type RecordEvents } from './change-events.js';
import { Database, type Sql } from './database.js';
import { jsonCodec, jsonColumns } from './json-columns.js';
import { CallAdmission, Clock } from './services.js';
import { optional, provideForCall, type Provider, type Token } from './token.js';
import { WORK_PENDING, WorkQueues } from './work.js';
import { workspaceRows } from './workspace-data.js';

const columnsOfEach = {
  id: Type.String(),
  workspace_id: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  indexing_status: Type.Enum(['pending', 'indexed', 'failed']),
  indexing_error: nullable(Type.String()),
};

/**
 * A record as tools return it: the columns of every record, which {@link Records} fills in, and the plugin's own. An
 * array or object is a text column with JSON. `title`: its name in OpenAPI, `Bookmark`.
 */
export function RecordSchema<P extends TProperties>(own: P, title?: string) {
  return Type.Object({ ...columnsOfEach, ...own }, title === undefined ? closed : closedAs(title));
}

type RecordRow = Static<TObject<typeof columnsOfEach>>;

/** Declares the events of records for `definePlugin`: each has the data `{ id }`. `descriptions` are by type. */
export function recordEvents(scope: string, descriptions: Readonly<Record<string, string>>): EventType[] {
  const data = Type.Object({ id: Type.String({ description: 'Id of the record' }) }, closed);
  return Object.entries(descriptions).map(([type, description]) => ({ type, description, scope, data }));
}

/** The columns that a plugin decides. */
export type RecordValues<Row extends RecordRow> = Omit<Row, keyof RecordRow>;

/** Changes of the records of one table inside one transaction. Each makes the row pending in its work queue and records an event with the data `{ id }`. */
export interface RecordChanges<Row extends RecordRow> {
  /** The time of the transaction, which every record that it changes gets: read it once other writers are locked out. */
  readonly time: string;
  /** Throws NOT_FOUND. */
  get(id: string): Promise<Row>;
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

/** The records of one table that a call may see: records of other workspaces are absent. Its changes are transactions of their own. */
export interface Records<Row extends RecordRow> extends Omit<RecordChanges<Row>, 'time'> {
  /** Records with these values, newest first. An undefined value does not filter; `narrow` adds other conditions. */
  list(
    paging: PageRequest,
    where?: { readonly [Column in keyof Row]?: Row[Column] | undefined },
    narrow?: (query: Knex.QueryBuilder) => void,
  ): Promise<PageOf<Row>>;
  /** Runs several changes, and whatever else `work` does with `sql` and records, in one transaction. */
  change<T>(work: (records: RecordChanges<Row>, sql: Sql, record: RecordEvents) => Promise<T>): Promise<T>;
}

/** Which change {@link RecordDefinition.follow} follows. */
export type RecordChange = 'created' | 'updated' | 'removed';

interface RecordDefinition<Row extends RecordRow> {
  readonly table: string;
  /** One record in a word, for `access.in.resource`, messages and exports: `bookmark`. */
  readonly resource: string;
  /** The tool that lists the ids, named to callers who ask for a record that they may not see. */
  readonly listedBy: string;
  /** Made with {@link RecordSchema}: its properties are the columns that are read and exported. */
  readonly schema: { readonly properties: Readonly<Record<keyof Row, unknown>> };
  /** The name of their count in the overview; default: that of the table. */
  readonly counted?: string;
  /** The quota that counts them. Default: none. */
  readonly quota?: string;
  /** The scope that a caller needs to export them, besides that of the export: `bookmarks:read`. Default: none. */
  readonly scope?: string;
  /** False: exports of a workspace leave them out, since the plugin contributes their export itself. */
  readonly exported?: false;
  /** Columns of an index of {@link addUniqueIndex}: makes `create` idempotent. */
  readonly unique?: readonly (keyof Row & string)[];
  /** The column that names a record for people: see {@link rowOwner}. */
  readonly named?: keyof Row & string;
  /** See {@link rowOwner}. */
  readonly mistaken?: MistakenRows;
  /** A column of times that lists are ordered by, newest first. Default: `created_at`. */
  readonly newestBy?: keyof Row & string;
  /**
   * False: nothing works on the rows, as `indexRecords` of search does. None waits then, and a removed row is deleted at
   * once. Default: a removed row stays until that work has settled it.
   */
  readonly queued?: false;
  /**
   * Runs in the transaction of each change, with the record after it (as it was, where it was removed). Rows that it
   * inserts into a work queue get their columns from `queues`.
   */
  readonly follow?: (
    sql: Sql,
    record: Row,
    change: RecordChange,
    admission: Admission,
    queues: WorkQueues,
  ) => Promise<void>;
}

/**
 * Provides {@link Records} over a table that a migration made with {@link createRecordTable}, and contributes
 * what belongs to them: the owner of the resource for `access.in`, and the rows as data of their workspace (counted,
 * exported, erased with it).
 */
export function provideRecords<Row extends RecordRow>(
  target: Token<Records<Row>>,
  definition: RecordDefinition<Row>,
): Provider[] {
  const {
    table,
    resource,
    listedBy,
    schema,
    counted = table,
    exported: isExported,
    scope,
    named,
    mistaken,
    queued = true,
  } = definition;
  const columns = Object.keys(schema.properties);
  const json = jsonColumns(schema.properties);
  const records = provideForCall(target, {
    uses: {
      database: Database,
      events: Events,
      clock: Clock,
      queues: WorkQueues,
      quotas: optional(Quotas),
      admission: CallAdmission,
    },
    create: (deps) => openRecords(definition, deps),
  });
  const indexing = new Set(['workspace_id', 'indexing_status', 'indexing_error']);
  const exported = columns.filter((column) => !indexing.has(column));
  return [
    records,
    rowOwner({
      resource,
      table,
      listedBy,
      columns,
      queued,
      where: { deleted: 0 },
      ...(named !== undefined && { named }),
      ...(mistaken && { mistaken }),
    }),
    workspaceRows(
      [
        {
          table,
          record: resource,
          counted,
          columns: exported,
          json,
          where: { deleted: 0 },
          ...(isExported === false && { exported: false }),
        },
      ],
      scope,
    ),
  ];
}

/** What records without a quota are counted as: only that their workspace is there is asked. */
const UNLIMITED = 'records';

interface RecordServices {
  readonly database: Database;
  readonly events: Events;
  readonly clock: Clock;
  readonly queues: WorkQueues;
  readonly quotas: Quotas | undefined;
  readonly admission: Admission;
}

function openRecords<Row extends RecordRow>(
  definition: RecordDefinition<Row>,
  { database, events, clock, queues, quotas, admission }: RecordServices,
): Records<Row> {
  const {
    table,
    quota = UNLIMITED,
    resource,
    listedBy,
    schema,
    unique,
    newestBy = 'created_at',
    queued = true,
    follow,
  } = definition;
  const columns = Object.keys(schema.properties);
  const { encode, decode } = jsonCodec(jsonColumns(schema.properties));
  const queue = queues.open({ name: table, table });
  const settled = queued ? {} : { indexing_status: 'indexed' };
  const visible = (sql: Sql) =>
    sql(table).where({ deleted: 0 }).whereIn('workspace_id', admission.workspaceIds);
  const toRecord = (row: object) => decode(row) as Row; // the schema names its columns
  const find = async (sql: Sql, id: string): Promise<Row> => {
    const row = (await visible(sql).where({ id }).first(columns)) as object | undefined;
    if (!row) throw notFound(resource, id, listedBy);
    return toRecord(row);
  };

  function changes(sql: Sql, record: RecordEvents, growth: Map<string, number>): RecordChanges<Row> {
    const changed = async (row: Row, change: RecordChange, event: string): Promise<Row> => {
      const { id, workspace_id } = row;
      record({ type: event, workspaceId: workspace_id, data: { id } });
      if (change !== 'updated')
        growth.set(workspace_id, (growth.get(workspace_id) ?? 0) + (change === 'created' ? 1 : -1));
      await follow?.(sql, row, change, admission, queues);
      return row;
    };
    let time: string | undefined;
    const at = () => (time ??= clock.now().toISOString());
    return {
      get time() {
        return at();
      },
      get: (id) => find(sql, id),
      async create(values, event) {
        const row = { ...encode(values), id: uuidv7(), workspace_id: admission.workspaceId };
        const added = { ...row, created_at: at(), updated_at: at(), ...queue.added(), ...settled };
        const { id, created } = await insertIfAbsent(sql, table, added, unique);
        const made = await find(sql, id);
        return created ? changed(made, 'created', event) : made;
      },
      async update(id, values, event) {
        const stored = encode(values);
        const differs = (query: Knex.QueryBuilder) => {
          void query.whereRaw('1 = 0');
          for (const [column, value] of Object.entries(stored) as Array<[string, Knex.Value]>)
            // columns of the table
            void query.orWhereRaw('?? IS DISTINCT FROM ?', [column, value]);
        };
        const different = { ...stored, updated_at: at(), ...queue.changed(sql), ...settled };
        const count = await visible(sql).where({ id }).where(differs).update(different);
        const row = await find(sql, id);
        return count > 0 ? changed(row, 'updated', event) : row;
      },
      async remove(id, event) {
        const row = await find(sql, id);
        const { workspace_id } = row;
        const own = { id, workspace_id };
        const removed = queued ? await queue.remove(sql, own) : await sql(table).where(own).delete();
        return removed > 0 ? changed(row, 'removed', event) : row;
      },
    };
  }

  const change: Records<Row>['change'] = async (work) => {
    const result = await events.change(async (sql, record) => {
      const growth = new Map<string, number>();
      const value = await work(changes(sql, record, growth), sql, record);
      // In one order, so that two changes of several workspaces wait for each other.
      for (const id of [...growth.keys()].sort())
        await quotas?.count(sql, id, { [quota]: growth.get(id) ?? 0 });
      return value;
    });
    events.wake(WORK_PENDING);
    return result;
  };
  return {
    get: (id) => find(database.sql, id),
    list(paging, where = {}, narrow) {
      const wanted = Object.entries(where).filter(([, value]) => value !== undefined);
      const found = visible(database.sql).where(Object.fromEntries(wanted));
      narrow?.(found);
      const newest = found.orderBy(newestBy, 'desc').orderBy('id', 'desc');
      return selectPage(newest.select(columns), paging, toRecord);
    },
    change,
    create: (values, event) => change((own) => own.create(values, event)),
    update: (id, values, event) => change((own) => own.update(id, values, event)),
    remove: (id, event) => change((own) => own.remove(id, event)),
  };
}
