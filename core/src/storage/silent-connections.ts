import pg from 'pg';

/** The parts of a connection of pg that are needed here; `__knex__disposed` keeps knex from using it again. */
export interface PgConnection {
  readonly processID: number | null;
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(error?: Error): unknown } };
  __knex__disposed?: unknown;
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
  end(callback: () => void): void;
}

interface UnderWay {
  bytesRead: number;
  /** `performance.now()` when the connection last received something, or its query began. */
  heardAt: number;
  /** When the server last said that it works on the query. */
  workedAt: number;
}

const SWEEP_MS = 1_000;
/** After so long without a byte, the server is asked whether it works on the query. */
const SUSPECT_MS = 5_000;
const ASK_EVERY_MS = 4_000;
const ANSWER_MS = 2_000;
/** So many questions in a row without an answer, and the server counts as gone. */
const MAX_UNANSWERED = 2;

/**
 * Finds connections to PostgreSQL that went silent, as after a failover, or behind a firewall that forgot them: neither
 * data nor an end arrives. A query that hears nothing for 5 s is looked up over a new connection. If the server is not
 * working on it, or does not know it, its connection is destroyed and the query fails; the same where two new
 * connections in a row get no answer, as from a proxy that accepts them for a server that is gone. Behind a connection
 * pooler that does answer, which hides the server's processes, `timeoutMs` decides instead.
 */
export class SilentConnections {
  readonly #options: pg.ClientConfig;
  readonly #timeoutMs: number;
  readonly #underWay = new Map<PgConnection, UnderWay>();
  /** Connections that lead to the server process that they name. */
  readonly #direct = new WeakSet<PgConnection>();
  #sweeper: NodeJS.Timeout | undefined;
  #askedAt = -Infinity;
  #asking = false;
  #unanswered = 0;

  constructor(options: pg.ClientConfig, timeoutMs: number) {
    this.#options = options;
    this.#timeoutMs = timeoutMs;
  }

  /** A new connection. The server rolls back a transaction whose client is silent for 20 s, and frees its locks. */
  async add(connection: PgConnection): Promise<void> {
    const { rows } = await connection.query(
      "SELECT pg_backend_pid() AS pid, set_config('idle_in_transaction_session_timeout', '20000', false)",
    );
    if ((rows[0] as { pid: number }).pid === connection.processID) this.#direct.add(connection);
  }

  begin(connection: PgConnection): void {
    const { bytesRead } = connection.connection.stream;
    this.#underWay.set(connection, { bytesRead, heardAt: performance.now(), workedAt: -Infinity });
    this.#sweeper ??= setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  end(connection: PgConnection): void {
    this.#underWay.delete(connection);
  }

  /** Destroys every connection that has a query under way: a stop does not wait for them any longer. */
  dropAll(): void {
    for (const connection of this.#underWay.keys()) this.#drop(connection);
  }

  async #sweep(): Promise<void> {
    if (this.#underWay.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
      return;
    }
    const now = performance.now();
    const suspects = new Map<PgConnection, UnderWay>();
    for (const [connection, query] of this.#underWay) {
      const { bytesRead } = connection.connection.stream;
      if (bytesRead !== query.bytesRead) Object.assign(query, { bytesRead, heardAt: now });
      if (now - query.heardAt >= SUSPECT_MS) suspects.set(connection, query);
    }
    if (suspects.size === 0) this.#unanswered = 0;
    if (suspects.size === 0 || this.#asking || now - this.#askedAt < ASK_EVERY_MS) return;
    this.#asking = true;
    this.#askedAt = now;
    const answer = await this.#ask(suspects);
    this.#asking = false;
    this.#unanswered = answer === 'all' ? 0 : this.#unanswered + 1;
    const isGone = this.#unanswered >= MAX_UNANSWERED;
    for (const [connection, { heardAt, workedAt }] of this.#stillSilent(suspects)) {
      const isLate = performance.now() - Math.max(heardAt, workedAt) >= this.#timeoutMs;
      // A pooler whose connections are all in use greets, and lets the question wait.
      const isPooled = answer === 'greeting' && !this.#direct.has(connection);
      if (isLate || (isGone && !isPooled)) this.#drop(connection);
    }
  }

  /** Drops the suspects that the server does not work for, and ends their processes there, which may hold locks. */
  async #judge(suspects: ReadonlyMap<PgConnection, UnderWay>, server: pg.Client): Promise<void> {
    const { rows } = await server.query<{ pid: number; state: string | null; waits: boolean | null }>(
      "SELECT pid, state, wait_event_type = 'Lock' AS waits FROM pg_stat_activity WHERE pid = ANY($1)",
      [[...suspects.keys()].map(({ processID }) => processID)],
    );
    const found = new Map(rows.map((row) => [row.pid, row]));
    const silent: PgConnection[] = [];
    const waiting: PgConnection[] = [];
    for (const [connection, query] of this.#stillSilent(suspects)) {
      const process = found.get(connection.processID ?? 0);
      if (process?.state === 'active') query.workedAt = performance.now();
      if (!this.#direct.has(connection)) continue;
      // Not where the server tells no state, as with track_activities = off.
      if (!process || process.state?.startsWith('idle')) silent.push(connection);
      else if (process.waits) waiting.push(connection);
    }
    if (silent.length === 0) return;
    // Those that wait for the locks of silent ones have most likely lost their clients too, and would pass the locks on.
    const lost = [...silent, ...waiting];
    for (const connection of lost) this.#drop(connection);
    await server.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [
      lost.map(({ processID }) => processID),
    ]);
  }

  /** Those whose query of then has still heard nothing. */
  #stillSilent(suspects: ReadonlyMap<PgConnection, UnderWay>): Array<[PgConnection, UnderWay]> {
    return [...suspects].filter(
      ([connection, query]) =>
        this.#underWay.get(connection) === query &&
        connection.connection.stream.bytesRead === query.bytesRead,
    );
  }

  /** Judges the suspects over a new connection. Returns how far that came; a refusal is an answer too. */
  async #ask(suspects: ReadonlyMap<PgConnection, UnderWay>): Promise<'nothing' | 'greeting' | 'all'> {
    const server = new pg.Client({
      ...this.#options,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    server.on('error', () => undefined); // its queries say so
    try {
      await server.connect();
      await this.#judge(suspects, server);
      return 'all';
    } catch (error) {
      if (error instanceof pg.DatabaseError) return 'all';
      const { stream } = (server as unknown as PgConnection).connection;
      return stream.bytesRead > 0 ? 'greeting' : 'nothing';
    } finally {
      server.end(() => undefined);
    }
  }

  #drop(connection: PgConnection): void {
    connection.__knex__disposed = 'silent';
    connection.connection.stream.destroy(); // its query fails with "Connection terminated unexpectedly"
  }
}
