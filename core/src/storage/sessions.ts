import type { Database } from '../database.js';
import type { Clock } from '../services.js';
import { isOutage } from './outages.js';
import {
  newSession,
  principalOf,
  unknownSession,
  type Session,
  type SessionLimits,
  type Sessions,
} from '../sessions.js';

interface Row {
  readonly id: string;
  readonly protocol_version: string;
  readonly state: string;
  readonly used_at: number;
}

/** Using a session writes at most this often, as a part of the time that it may be idle. */
const NOTED = 1 / 20;

/** Sessions as rows, so that they outlive the process and are good on every replica. */
export function createSessions(
  database: Database,
  clock: Clock,
  { perCaller, idleMs, lists }: SessionLimits & Pick<Sessions, 'lists'>,
): Sessions & { expire(): Promise<void> } {
  const table = () => database.sql('mcp_sessions');
  const now = () => clock.now().getTime();
  const find = database.prepare<Row>(
    'mcp_sessions_find',
    'SELECT id, protocol_version, state, used_at FROM mcp_sessions WHERE id = ? AND principal = ?',
  );
  const alive = (row: Row | undefined): row is Row => row !== undefined && now() - row.used_at <= idleMs;

  return {
    lists,
    async open(caller, start) {
      const session = { ...newSession(start), lists };
      const principal = principalOf(caller);
      await table().insert({
        id: session.id,
        principal,
        protocol_version: session.protocolVersion,
        state: stateOf(session),
        used_at: now(),
      });
      const excess = table()
        .select('id')
        .where({ principal })
        .orderBy([
          { column: 'used_at', order: 'desc' },
          { column: 'id', order: 'desc' }, // several may be of one millisecond
        ])
        .offset(perCaller);
      await table().whereIn('id', excess).delete();
      return session;
    },
    async get(id, caller) {
      const row = await find(id, principalOf(caller));
      if (!alive(row)) throw unknownSession();
      if (now() - row.used_at > idleMs * NOTED)
        await table()
          .where({ id })
          .update({ used_at: now() })
          .catch((error: unknown) => {
            if (!isOutage(error)) throw error; // a database that takes no writes must not end reads
          });
      return sessionOf(row);
    },
    change: (id, caller, amend) =>
      database.transaction(async (sql) => {
        const query = sql('mcp_sessions').where({ id, principal: principalOf(caller) });
        const locked = database.engine === 'postgresql' ? query.forUpdate() : query;
        const row = (await locked.first()) as Row | undefined;
        if (!alive(row)) throw unknownSession();
        const before = sessionOf(row);
        const session = { ...before, ...amend(before) };
        await sql('mcp_sessions')
          .where({ id })
          .update({ state: stateOf(session), used_at: now() });
        return session;
      }),
    async close(id, caller) {
      const closed = await table()
        .where({ id, principal: principalOf(caller) })
        .delete();
      if (closed === 0) throw unknownSession();
    },
    async count() {
      const row = (await table()
        .where('used_at', '>=', now() - idleMs)
        .count({ count: '*' })
        .first()) as { count: number };
      return row.count;
    },
    async expire() {
      await table()
        .where('used_at', '<', now() - idleMs)
        .delete();
    },
  };
}

type State = Omit<Session, 'id' | 'protocolVersion'>;

function stateOf({ id: _id, protocolVersion: _version, ...state }: Session): string {
  return JSON.stringify(state satisfies State);
}

function sessionOf({ id, protocol_version, state }: Row): Session {
  return { id, protocolVersion: protocol_version, ...(JSON.parse(state) as State) };
}
