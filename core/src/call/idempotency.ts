import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../caller.js';
import type { ToolResult } from '../catalog.js';
import { ServiceError } from '../errors.js';
import type { Database, Sql } from '../database.js';
import type { Clock } from '../services.js';

const KEPT_MS = 24 * 60 * 60 * 1000;
const LOOK_MS = 40;
/** How long a call may be under way before its process is taken to have died with it. */
const LOST_MS = 10 * 60 * 1000;

interface Row {
  readonly tool: string;
  readonly request: string;
  /** JSON of the result; null while the first call is under way. */
  readonly result: string | null;
  readonly created_at: string;
}

/**
 * Answers a repeated creation with the first one's result, kept 24 hours for each user and Idempotency-Key. Of calls
 * at the same time one runs and the others wait for it. A failed call is forgotten, so that it can be tried again.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Runs `work` once for the key of the call. Throws CONFLICT when the key was used for another request. */
  async once(
    tool: string,
    request: string,
    call: CallContext,
    work: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const place = { user_id: call.caller.userId, key: call.idempotencyKey ?? '' };
    const row = { ...place, tool, request, result: null, created_at: this.#clock.now().toISOString() };
    for (;;) {
      const made = (await this.#table()
        .insert(row)
        .onConflict(['user_id', 'key'])
        .ignore()
        .returning('key')) as unknown[];
      if (made.length > 0) return this.#first(place, work);
      const earlier = await this.#outcome(place, { tool, request }, call);
      if (earlier) {
        call.remark?.({ replayed: true });
        return earlier;
      }
    }
  }

  async #first(
    place: { user_id: string; key: string },
    work: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    let result: ToolResult | undefined;
    try {
      result = await work();
      return result;
    } finally {
      const own = this.#table().where(place);
      await (result?.kind === 'complete' ? own.update({ result: JSON.stringify(result) }) : own.delete());
    }
  }

  /** The result of the earlier call with the key; undefined when it failed or expired, and the key is free. */
  async #outcome(
    place: { user_id: string; key: string },
    asked: { tool: string; request: string },
    { signal }: CallContext,
  ): Promise<ToolResult | undefined> {
    for (;;) {
      const row = (await this.#table().where(place).first()) as Row | undefined;
      if (!row) return undefined;
      const age = this.#clock.now().getTime() - Date.parse(row.created_at);
      if (age > KEPT_MS) {
        await this.#table()
          .where({ ...place, created_at: row.created_at })
          .delete();
        return undefined;
      }
      if (row.tool !== asked.tool || row.request !== asked.request) {
        throw new ServiceError(
          'CONFLICT',
          'This Idempotency-Key was used for another request in the last 24 hours. Use a new one for each creation.',
        );
      }
      if (row.result !== null) return JSON.parse(row.result) as ToolResult;
      if (age > LOST_MS) {
        throw new ServiceError(
          'CONFLICT',
          'The first request with this Idempotency-Key never finished. Look whether what it creates is there, then use a new key.',
        );
      }
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async expire(): Promise<void> {
    const oldest = new Date(this.#clock.now().getTime() - KEPT_MS).toISOString();
    await this.#table().where('created_at', '<', oldest).delete();
  }

  #table(): ReturnType<Sql> {
    return this.#database.sql('idempotency_keys');
  }
}

/** A digest of arguments that does not depend on the order of their keys. */
export function digestOf(args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(args, sorted) ?? '')
    .digest('base64url');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
