import { EventEmitter } from 'node:events';
import type { ChangeEvent, Events, NewChangeEvent } from '../change-events.js';
import { currentCreation } from '../call/creation.js';
import type { Database, Sql } from '../database.js';
import type { Log } from '../log.js';
import type { Clock } from '../services.js';

const KEPT_MS = 24 * 60 * 60 * 1000;
const INSERT_BATCH = 100;
/** Emitted in addition to each type. */
const ANY = Symbol('any event');

interface Row {
  readonly id: number;
  readonly tx: number;
  readonly type: string;
  readonly workspace_id: string | null;
  readonly data: string;
  readonly occurred_at: string;
}

/** The place of an event in the order of all: its transaction, and its number in the table. */
interface Place {
  readonly tx: string;
  readonly id: string;
}

/** Reads the kept events in order. */
export interface EventLog {
  /** Position of the newest event, or the start position when there is none. */
  newest(): Promise<string>;
  /** Events after a place, oldest first. */
  since(place: string, limit: number): Promise<ChangeEvent[]>;
  /** Is the event of that id still kept? */
  keeps(id: string): Promise<boolean>;
  /** Calls back with the types when any event was announced in this process. */
  onAny(listener: (types: readonly string[]) => void): () => void;
}

/** The place before the first event that was ever recorded. */
const START = '0.0';
const PLACE = /^(\d{1,19})\.(\d{1,19})$/;

/**
 * Change events in the table `change_events`, kept 24 hours.
 *
 * Readers must never see a later event before an earlier one, or a reader that goes on from the later one would
 * miss the other. PostgreSQL gives out ids before it commits, in no order, so that events are ordered by
 * their transaction first, and read only once no older transaction runs that could still add some
 * (https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT). SQLite has one writer, whose ids
 * are in order by themselves: there `tx` is 0.
 */
export function createEvents(
  database: Database,
  clock: Clock,
  log: Log,
): Events & EventLog & { expire(): Promise<void> } {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  const settled = settledIn(database);
  const rowsAfter = ({ tx, id }: Place) => {
    const rows = database.sql<Row>('change_events').orderBy([{ column: 'tx' }, { column: 'id' }]);
    if (database.engine === 'postgresql')
      return rows.whereRaw('(tx, id) > (?, ?)', [tx, id]).whereRaw(settled);
    return rows.whereRaw(settled).where('id', '>', id); // for the comparison of pairs, SQLite reads the whole log
  };
  const wake = (...names: string[]) => {
    for (const name of names) emitter.emit(emittedAs(name));
    if (names.length > 0) emitter.emit(ANY, names);
  };
  const insert = async (sql: Sql, events: readonly NewChangeEvent[]) => {
    const occurred_at = clock.now().toISOString();
    const rows = events.map((event) => ({
      type: event.type,
      workspace_id: event.workspaceId,
      data: JSON.stringify(event.data),
      occurred_at,
    }));
    for (let at = 0; at < rows.length; at += INSERT_BATCH) {
      await sql('change_events').insert(rows.slice(at, at + INSERT_BATCH));
    }
  };
  return {
    async change(work) {
      const { result, types } = await database.transaction(async (sql) => {
        const recorded: NewChangeEvent[] = [];
        const value = await work(sql, (...events) => void recorded.push(...events));
        await insert(sql, recorded);
        if (recorded.length > 0) await currentCreation.getStore()?.note(sql, recorded);
        return { result: value, types: new Set(recorded.map(({ type }) => type)) };
      });
      wake(...types);
      return result;
    },
    wake,
    listen(types, listener) {
      const guarded = guard(listener, log);
      for (const type of types) emitter.on(emittedAs(type), guarded);
      return () => {
        for (const type of types) emitter.off(emittedAs(type), guarded);
      };
    },
    onAny(listener) {
      const guarded = guard(listener, log);
      emitter.on(ANY, guarded);
      return () => void emitter.off(ANY, guarded);
    },
    async newest() {
      const row = await database
        .sql<Row>('change_events')
        .whereRaw(settled)
        .orderBy([
          { column: 'tx', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .first('tx', 'id');
      return row ? placeOf(row) : START;
    },
    async since(place, limit) {
      const rows = await rowsAfter(readPlace(place) ?? { tx: '0', id: '0' }).limit(limit);
      return rows.map((row): ChangeEvent => ({
        id: placeOf(row),
        type: row.type,
        workspaceId: row.workspace_id,
        data: JSON.parse(row.data) as Record<string, unknown>,
        occurredAt: row.occurred_at,
      }));
    },
    async keeps(id) {
      const place = readPlace(id);
      if (!place) return false;
      if (id === START) {
        const first = await database.sql<Row>('change_events').orderBy('id').first('id');
        return first === undefined || first.id === 1;
      }
      const row: unknown = await database
        .sql('change_events')
        .where({ tx: place.tx, id: place.id })
        .first('id');
      return row !== undefined;
    },
    async expire() {
      const oldest = new Date(clock.now().getTime() - KEPT_MS).toISOString();
      const newest = database.sql('change_events').max('id');
      // The newest event stays as the position of the log: an empty table means that nothing was ever recorded.
      await database.sql('change_events').where('occurred_at', '<', oldest).where('id', '<', newest).delete();
    },
  };
}

/** Not the bare type: an emitter has a meaning of its own for the event `error`. */
const emittedAs = (type: string) => `event ${type}`;

/** Logs what a listener throws: the change that it is told of is committed, and the other listeners are told too. */
function guard<A extends unknown[]>(listener: (...args: A) => void, log: Log): (...args: A) => void {
  return (...args) => {
    try {
      listener(...args);
    } catch (err) {
      log.error({ err }, 'a listener of change events failed');
    }
  };
}

/** The condition on rows that no transaction under way can come before. */
function settledIn({ engine }: Database): string {
  return engine === 'postgresql' ? 'tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint' : 'tx = 0';
}

/**
 * A database that was restored into another server restarts its transaction counter: events from before the restore come
 * first, so that nothing new is ordered before it. Run at boot.
 */
export async function settleEvents(database: Database): Promise<void> {
  if (database.engine !== 'postgresql') return;
  await database
    .sql('change_events')
    .whereRaw('tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint')
    .update({ tx: 0 });
}

/** Does the event with the first id come after the one with the second? Malformed ids come first. */
export function isAfter(id: string, other: string): boolean {
  const [a, b] = [readPlace(id), readPlace(other)];
  if (!a || !b) return a !== undefined;
  return a.tx === b.tx ? BigInt(a.id) > BigInt(b.id) : BigInt(a.tx) > BigInt(b.tx);
}

function placeOf({ tx, id }: Pick<Row, 'tx' | 'id'>): string {
  return `${tx}.${id}`;
}

/** Undefined for malformed text, or numbers that exceed the columns of the database. */
function readPlace(text: string): Place | undefined {
  const [, tx = '', id = ''] = PLACE.exec(text) ?? [];
  if (tx === '' || BigInt(tx) >= 2n ** 63n || BigInt(id) >= 2n ** 63n) return undefined;
  return { tx, id };
}
