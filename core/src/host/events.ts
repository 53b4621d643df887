import { EventEmitter } from 'node:events';
import type { ChangeEvent, Clock, Database, Events } from '../services.js';

const KEPT_MS = 24 * 60 * 60 * 1000;
const INSERT_BATCH = 100;

interface Row {
  readonly id: number | string;
  readonly type: string;
  readonly workspace_id: string | null;
  readonly data: string;
  readonly occurred_at: string;
}

/** Change events in the table `change_events`, kept 24 hours. */
export function createEvents(database: Database, clock: Clock): Events & { expire(): Promise<void> } {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    async record(sql, events) {
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
    },
    announce(...types) {
      for (const type of types) emitter.emit(type);
    },
    listen(types, listener) {
      for (const type of types) emitter.on(type, listener);
      return () => {
        for (const type of types) emitter.off(type, listener);
      };
    },
    async since(id, limit) {
      const rows = await database.sql<Row>('change_events').where('id', '>', id).orderBy('id').limit(limit);
      return rows.map((row): ChangeEvent => ({
        id: Number(row.id),
        type: row.type,
        workspaceId: row.workspace_id,
        data: JSON.parse(row.data) as Record<string, unknown>,
        occurredAt: row.occurred_at,
      }));
    },
    async expire() {
      const oldest = new Date(clock.now().getTime() - KEPT_MS).toISOString();
      await database.sql('change_events').where('occurred_at', '<', oldest).delete();
    },
  };
}
