import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '../caller.js';
import type { ToolResult } from '../catalog.js';
import type { NewChangeEvent } from '../change-events.js';
import { ServiceError } from '../errors.js';
import type { Database, Sql } from '../database.js';
import type { Clock } from '../services.js';
import { workspaceRows } from '../workspace-data.js';
import { LEASE_MS, isDeadNeighbour } from '../storage/lease.js';
import { currentCreation } from './creation.js';

const KEPT_MS = 24 * 60 * 60 * 1000;
const MIN_LOOK_MS = 40;
const MAX_LOOK_MS = 250;

interface Place {
  readonly user_id: string;
  readonly key: string;
}

/** What a call asks for. */
export interface KeyedRequest {
  readonly tool: string;
  /** Digest of its arguments. */
  readonly request: string;
  /** The only workspace that it is admitted to, with which its result is erased. */
  readonly workspaceId: string | undefined;
}

interface Row {
  readonly tool: string;
  readonly request: string;
  /** JSON of the result; null while the first call is under way. */
  readonly result: string | null;
  /** JSON of what it `Made`, written in the transactions that create; null before. */
  readonly made: string | null;
  /** The process of the first call. */
  readonly holder: string;
  /** A time that the process moves on while it lives, for other machines. */
  readonly alive_until: string;
  readonly created_at: string;
}

interface Made {
  /** Of each creation that was committed. */
  readonly events: readonly NewChangeEvent[];
  /** Why the call failed after them. */
  readonly failure?: string;
}

/**
 * Answers a repeated creation with the first one's result, kept 24 hours for each user and Idempotency-Key. Of calls
 * at the same time one runs and the others wait for it. A call that failed, or whose process died, is
 * forgotten if it created nothing, so that it can be tried again.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #holder: string;
  /** The calls that run in this process, by user and key. */
  readonly #running = new Map<string, Place>();
  /** Calls that insert the row of a key at this moment. */
  readonly #claiming = new Map<string, number>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database, clock: Clock, processId: string) {
    this.#database = database;
    this.#clock = clock;
    this.#holder = processId;
  }

  /** Runs `work` once for the key of the call. Throws CONFLICT when the key was used for another request. */
  async once(
    { tool, request, workspaceId }: KeyedRequest,
    call: CallContext,
    work: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const place = { user_id: call.caller.userId, key: call.idempotencyKey ?? '' };
    const asked = { tool, request };
    const first = { ...place, ...asked, workspace_id: workspaceId, result: null, holder: this.#holder };
    for (;;) {
      const now = { created_at: this.#clock.now().toISOString(), alive_until: aliveUntil() };
      if (await this.#claim(place, { ...first, ...now })) return this.#first(place, work);
      const earlier = await this.#outcome(place, asked, call);
      if (earlier) {
        call.remark?.({ replayed: true });
        return earlier;
      }
    }
  }

  /** Inserts the row of a key; false where there is one. Counts as under way before others can see the row. */
  async #claim(place: Place, row: object): Promise<boolean> {
    const name = nameOf(place);
    this.#claiming.set(name, (this.#claiming.get(name) ?? 0) + 1);
    try {
      const insert = this.#table().insert(row).onConflict(['user_id', 'key']).ignore();
      const isFirst = ((await insert.returning('key')) as unknown[]).length > 0;
      if (isFirst) this.#begin(place);
      return isFirst;
    } finally {
      const left = (this.#claiming.get(name) ?? 1) - 1;
      if (left > 0) this.#claiming.set(name, left);
      else this.#claiming.delete(name);
    }
  }

  async #first(place: Place, work: () => Promise<ToolResult>): Promise<ToolResult> {
    const own = () => this.#table().where({ ...place, holder: this.#holder });
    let result: ToolResult | undefined;
    let failure: string | undefined;
    try {
      result = await currentCreation.run({ note: (sql, events) => this.#note(sql, place, events) }, work);
      return result;
    } catch (error) {
      failure = error instanceof ServiceError ? error.message : undefined;
      throw error;
    } finally {
      const stored =
        result?.kind === 'complete'
          ? own().update({ result: JSON.stringify(result) })
          : this.#forget(place, failure);
      await stored.catch(() => 0); // on a failing database, a repetition finds what the creation noted
      this.#end(place);
    }
  }

  /** Frees the key of a call that failed. Not that of a creation that was committed: it learns why the call failed. */
  async #forget(place: Place, failure: string | undefined): Promise<void> {
    const own = () => this.#table().where({ ...place, holder: this.#holder });
    if ((await own().where({ made: null }).delete()) > 0 || failure === undefined) return;
    const row = (await own().first('made')) as Pick<Row, 'made'> | undefined;
    if (row?.made) await own().update({ made: JSON.stringify({ ...madeOf(row.made), failure }) });
  }

  async #note(sql: Sql, place: Place, events: readonly NewChangeEvent[]): Promise<void> {
    const own = () => sql('idempotency_keys').where({ ...place, holder: this.#holder });
    const before = (await own().first('made')) as Pick<Row, 'made'> | undefined;
    const made: Made = { events: [...(before?.made ? madeOf(before.made).events : []), ...events] };
    // The row is gone where another process took the key over, also after it was read here.
    if ((await own().update({ made: JSON.stringify(made) })) > 0) return;
    throw new ServiceError('UNAVAILABLE', 'This process was paused for too long. Repeat the request.');
  }

  /** The result of the earlier call with the key; undefined when it failed or expired, and the key is free. */
  async #outcome(
    place: Place,
    asked: { tool: string; request: string },
    { signal }: CallContext,
  ): Promise<ToolResult | undefined> {
    for (let pause = MIN_LOOK_MS; ; pause = Math.min(pause * 1.5, MAX_LOOK_MS)) {
      const wasUnderWay = this.#isUnderWay(place);
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
      // Its call may have ended while the row was read, or begun.
      if (this.#isDead(row, wasUnderWay || this.#isUnderWay(place))) {
        if (row.made !== null) throw answerLost(row.made);
        // Not where it commits at this moment: the next look sees what it made. Nor the row of a call that took over meanwhile.
        const { holder, alive_until } = row;
        await this.#table()
          .where({ ...place, holder, alive_until, result: null, made: null })
          .delete();
        continue;
      }
      await sleep(pause, undefined, { signal });
    }
  }

  /** While calls run, tells other machines that this process lives. */
  #begin(place: Place): void {
    this.#running.set(nameOf(place), place);
    this.#renewal ??= setInterval(() => {
      const keys = [...this.#running.values()].map(({ key }) => key);
      const rows = this.#table().where({ holder: this.#holder }).whereIn('key', keys);
      void rows.update({ alive_until: aliveUntil() }).then(undefined, () => undefined); // its next renewal, or #note
    }, LEASE_MS / 3).unref();
  }

  #end(place: Place): void {
    this.#running.delete(nameOf(place));
    if (this.#running.size === 0) this.close();
  }

  #isUnderWay(place: Place): boolean {
    const name = nameOf(place);
    return this.#running.has(name) || this.#claiming.has(name);
  }

  /** A process of this machine is known to be dead at once, another when it has not renewed its rows. */
  #isDead({ holder, alive_until }: Row, isUnderWay: boolean): boolean {
    if (holder === this.#holder) return !isUnderWay;
    return isDeadNeighbour(holder) || alive_until < new Date().toISOString();
  }

  /** Stops its timer. */
  close(): void {
    clearInterval(this.#renewal);
    this.#renewal = undefined;
  }

  async expire(): Promise<void> {
    const oldest = new Date(this.#clock.now().getTime() - KEPT_MS).toISOString();
    await this.#table().where('created_at', '<', oldest).delete();
  }

  #table(): ReturnType<Sql> {
    return this.#database.sql('idempotency_keys');
  }
}

/** A result is content of its workspace, and goes with it. */
export const keyedResults = workspaceRows([{ table: 'idempotency_keys' }]);

let latest = 0;

/** Each time another one: it tells the row of a call from that of the next call in this process with the same key. */
function aliveUntil(): string {
  latest = Math.max(Date.now() + LEASE_MS, latest + 1);
  return new Date(latest).toISOString();
}

const nameOf = ({ user_id, key }: Place) => `${user_id} ${key}`;

function madeOf(json: string): Made {
  const made = JSON.parse(json) as Made | readonly NewChangeEvent[]; // a row of an earlier version has the events alone
  return 'events' in made ? made : { events: made };
}

function answerLost(json: string): ServiceError {
  const { events, failure } = madeOf(json);
  const happened =
    failure === undefined
      ? 'was carried out, and its response was lost.'
      : `was carried out in part, and then failed: ${failure}`;
  return new ServiceError(
    'CONFLICT',
    `The first request with this Idempotency-Key ${happened} The ids of what it created are in details.events.`,
    {
      details: {
        events: events.map(({ type, workspaceId, data }) => ({ type, workspace_id: workspaceId, data })),
      },
    },
  );
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
