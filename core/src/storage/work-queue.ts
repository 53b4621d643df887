import type { Knex } from 'knex';
import type { Database, Sql } from '../database.js';
import type { Clock } from '../services.js';
import { countRows } from '../paging.js';
import { firstRevision, pendingColumns } from './pending-columns.js';
import { SMALL_CHANGE_ROWS, smallChangesOf, waitingWorkspacesOf } from './waiting-rows.js';
import type {
  ClaimLimits,
  SettledWork,
  WorkCounts,
  WorkFilter,
  WorkOutcome,
  WorkQueue,
  WorkRow,
} from '../work.js';

const MAX_ATTEMPTS = 5;
const INITIAL_BACK_OFF_MS = 5_000;
/** Of a row. One that waits longer was written before the clock was set back. */
const MAX_WAIT_MS = 60 * 60_000;
/** From so many attempts without an outcome on, a row may be what ends the process: it comes in ever smaller batches. */
const SUSPECT_ATTEMPTS = 3;
/** Batch sizes of rows that were tried three times, four times, and more often. */
const SUSPECT_BATCHES = [64, 8, 1] as const;
/** Every so many claims, suspects come before new work, so that they are not starved. */
const SUSPECTS_EVERY = 8;
const MAX_WORKSPACES_PER_CLAIM = 32;
const KEYS_PER_STATEMENT = 200;
/** How many waiting rows a glance counts at most. */
const GLANCED_ROWS = 10_000;

type Share = Required<Pick<ClaimLimits, 'limit' | 'maxBytes' | 'rest'>> & Pick<ClaimLimits, 'size'>;
/** The columns that decide whether a row is claimed. */
type Waiting = Pick<WorkRow, 'id' | 'attempts' | 'pending_since' | 'bytes'>;

/** See {@link WorkQueues.open}. */
export function openWorkQueue<Row extends WorkRow>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { table, where = {} }: { readonly table: string; readonly where?: Readonly<Record<string, string>> },
): WorkQueue<Row> {
  const now = () => clock.now().toISOString();
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const rows = (sql: Sql): Knex.QueryBuilder => sql(table).where(where);
  const matching = (sql: Sql, which: WorkFilter) =>
    typeof which === 'function' ? which(rows(sql)) : rows(sql).where(which);
  const pending = (sql: Sql) => rows(sql).where({ indexing_status: 'pending' });
  let lastServed = '';
  let claims = 0;

  /** Workspaces with pending rows, from the one after the last served. */
  async function waitingWorkspaces(): Promise<string[]> {
    const ids = await waitingWorkspacesOf(database, table, where);
    const next = ids.findIndex((id) => id > lastServed);
    return next <= 0 ? ids : [...ids.slice(next), ...ids.slice(0, next)];
  }

  const smallChanges = () => smallChangesOf(database, table, where);

  /** Rows of small changes that were never claimed, newest first. */
  const newestOf = (changes: readonly string[]) =>
    pending(database.sql)
      .whereIn('pending_since', changes)
      .where({ attempts: 0 })
      .orderBy([{ column: 'pending_since', order: 'desc' }, { column: 'id' }]);

  const due = (workspaceId: string) =>
    pending(database.sql)
      .where({ workspace_id: workspaceId })
      .where((wanted) =>
        wanted.where('next_attempt_at', '<=', now()).orWhere('next_attempt_at', '>', after(MAX_WAIT_MS)),
      )
      .orderBy([{ column: 'attempts' }, { column: 'id' }]);

  /** The contents of rows that do not fit are not read. */
  const sized = async (query: Knex.QueryBuilder, limit: number, { size }: Share): Promise<Waiting[]> =>
    query
      .limit(limit)
      .select(
        size === undefined ? '*' : ['id', 'attempts', 'pending_since', database.sql.raw(`${size} AS bytes`)],
      );

  async function takeNew(workspaces: readonly string[], limits: Share): Promise<Waiting[]> {
    const served = workspaces.slice(0, MAX_WORKSPACES_PER_CLAIM);
    const share = Math.ceil(limits.limit / served.length);
    const shareOfBytes = limits.maxBytes / served.length;
    const taken: Waiting[] = [];
    for (const workspaceId of served) {
      const some = due(workspaceId).where('attempts', '<', SUSPECT_ATTEMPTS);
      const waiting = await sized(some, share + SMALL_CHANGE_ROWS + 1, limits);
      const own = withinBytes(waiting.slice(0, share), shareOfBytes);
      taken.push(...own, ...(limits.rest ? restOf(waiting, own.length, shareOfBytes / 4) : []));
      lastServed = workspaceId;
    }
    return taken;
  }

  async function takeSmall(workspaces: readonly string[], limits: Share): Promise<Waiting[]> {
    const changes = await smallChanges();
    if (changes.length === 0) return [];
    const newest = newestOf(changes).whereIn('workspace_id', workspaces);
    return withinBytes(await sized(newest, limits.limit, limits), limits.maxBytes);
  }

  async function takeSuspects(workspaces: readonly string[], limits: Share): Promise<Waiting[]> {
    for (const workspaceId of workspaces) {
      const suspects = due(workspaceId).where('attempts', '>=', SUSPECT_ATTEMPTS);
      const waiting = await sized(suspects, limits.limit, limits);
      const [first] = waiting;
      if (!first) continue;
      const size = SUSPECT_BATCHES[first.attempts - SUSPECT_ATTEMPTS] ?? 1;
      const alike = waiting.filter(({ attempts }) => attempts === first.attempts);
      return withinBytes(alike.slice(0, size), limits.maxBytes);
    }
    return [];
  }

  /** Counts an attempt of each, and reads them. */
  async function attempt(ids: readonly string[]): Promise<Row[]> {
    const found = new Map<string, Row>();
    for (const batch of inBatches(ids)) {
      const attempts = database.sql.raw('?? + 1', [`${table}.attempts`]);
      const claimed: Row[] = await rows(database.sql)
        .whereIn('id', batch)
        .update({ attempts })
        .returning('*');
      for (const row of claimed) found.set(row.id, row);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async function settleFailure(
    sql: Sql,
    outcome: WorkOutcome & { status: 'failed' },
  ): Promise<Row | undefined> {
    const { id, revision, error, permanent = false, retryAfterMs } = outcome;
    const row: Row | undefined = await rows(sql).where({ id, revision }).first();
    if (!row) return undefined;
    // A removal is tried until it succeeds: deleted data must leave the index.
    const isOwn = retryAfterMs === undefined;
    const final = isOwn && row.deleted === 0 && (permanent || row.attempts >= MAX_ATTEMPTS);
    const backOffMs = INITIAL_BACK_OFF_MS * 2 ** Math.min(Math.max(row.attempts - 1, 0), MAX_ATTEMPTS);
    const waitMs = retryAfterMs ?? backOffMs;
    const changed = {
      attempts: isOwn ? row.attempts : 1, // not a suspect
      indexing_status: final ? 'failed' : 'pending',
      indexing_error: error,
      next_attempt_at: after(Math.min(waitMs, MAX_WAIT_MS)),
    } as const;
    await rows(sql).where({ id, revision }).update(changed);
    return { ...row, ...changed };
  }

  return {
    added: () => ({ ...pendingColumns(now()), revision: firstRevision(clock), deleted: 0 }),
    changed: (sql) => ({
      ...pendingColumns(now()),
      revision: sql.raw('?? + 1', [`${table}.revision`]),
    }),
    remove(sql, removed) {
      return matching(sql, removed)
        .where({ deleted: 0 })
        .update({ ...this.changed(sql), deleted: 1 });
    },
    requeue(sql, which = {}) {
      return matching(sql, which).update(this.changed(sql));
    },
    async waitingWorkspaces({ small = false } = {}) {
      if (!small) return waitingWorkspaces();
      const changes = await smallChanges();
      if (changes.length === 0) return [];
      const found: Array<{ workspace_id: string }> = await newestOf(changes).select('workspace_id');
      return [...new Set(found.map(({ workspace_id }) => workspace_id))];
    },
    async claim({ limit, maxBytes = Number.POSITIVE_INFINITY, size, only, small = false, rest = false }) {
      const workspaces = only === undefined ? await this.waitingWorkspaces({ small }) : [only];
      if (workspaces.length === 0) return [];
      if (!small) claims += 1;
      const mixed = claims % SUSPECTS_EVERY === 0 ? [takeSuspects, takeNew] : [takeNew, takeSuspects];
      const order = small ? [takeSmall] : mixed;
      for (const take of order) {
        const taken = await take(workspaces, { limit, maxBytes, rest, ...(size !== undefined && { size }) });
        if (taken.length > 0) return attempt(taken.map(({ id }) => id));
      }
      return [];
    },
    async settle(sql, outcomes) {
      const settled: SettledWork<Row> = { indexed: [], removed: [], failed: [], retried: [] };
      const done = outcomes.filter(({ status }) => status === 'indexed');
      for (const batch of inBatches(done.map(({ id, revision }) => [id, revision] as const))) {
        // A row of a newer revision is not among them and stays pending.
        const same = () => rows(sql).whereIn(['id', 'revision'], batch as unknown as Array<[string, number]>);
        const removed: Row[] = await same().where({ deleted: 1 }).forUpdate(); // SQLite's writer is alone anyway
        await same().where({ deleted: 1 }).delete();
        const indexed: Row[] = await same()
          .where({ deleted: 0 })
          .update({ indexing_status: 'indexed', indexing_error: null, attempts: 0 })
          .returning('*');
        settled.removed.push(...removed);
        settled.indexed.push(...indexed);
      }
      for (const outcome of outcomes) {
        const row = outcome.status === 'failed' ? await settleFailure(sql, outcome) : undefined;
        if (row) settled[row.indexing_status === 'failed' ? 'failed' : 'retried'].push(row);
      }
      return settled;
    },
    async glance(scope) {
      const first = pending(database.sql).where(scope).limit(GLANCED_ROWS).select('workspace_id');
      const waiting = await countRows(database.sql.from(first.as('waiting')));
      const some =
        waiting > 0 ||
        (await rows(database.sql)
          .where({ ...scope, deleted: 0 })
          .first('id')) !== undefined;
      return { pending: waiting, some };
    },
    async newest(workspace_id, limit) {
      const found: Array<{ id: string }> = await pending(database.sql)
        .where({ workspace_id, deleted: 0 })
        .orderBy('pending_since', 'desc')
        .limit(limit)
        .select('id');
      return found.map(({ id }) => id);
    },
    async counts(scope = {}) {
      const found: Array<{ indexing_status: keyof WorkCounts; n: number }> = await rows(database.sql)
        .where({ ...scope, deleted: 0 })
        .groupBy('indexing_status')
        .select('indexing_status')
        .count({ n: '*' });
      const counts = { pending: 0, indexed: 0, failed: 0 };
      for (const { indexing_status, n } of found) counts[indexing_status] = n;
      return counts;
    },
    async waiting() {
      // Not min(): for it, SQLite reads everything that waits.
      const oldest: { pending_since: string } | undefined = await pending(database.sql)
        .orderBy('pending_since')
        .first('pending_since');
      return { rows: await countRows(pending(database.sql)), since: oldest?.pending_since };
    },
  };
}

/** At least the first row, and more while their bytes fit. */
function withinBytes(waiting: readonly Waiting[], maxBytes: number): Waiting[] {
  let bytes = 0;
  const end = waiting.findIndex((row, at) => {
    bytes += row.bytes ?? 0;
    return at > 0 && bytes > maxBytes;
  });
  return end === -1 ? [...waiting] : waiting.slice(0, end);
}

/** The rows after the first `count` that are of the same change, where they would be a small one. */
function restOf(waiting: readonly Waiting[], count: number, maxBytes: number): readonly Waiting[] {
  const last = waiting[count - 1];
  const next = waiting.findIndex((row, at) => at >= count && row.pending_since !== last?.pending_since);
  const rest = waiting.slice(count, next === -1 ? undefined : next);
  const bytes = rest.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  return rest.length <= SMALL_CHANGE_ROWS && bytes <= maxBytes ? rest : [];
}

function* inBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += KEYS_PER_STATEMENT) yield all.slice(at, at + KEYS_PER_STATEMENT);
}
