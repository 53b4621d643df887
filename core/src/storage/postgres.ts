import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import {
  isPoolerFull,
  isRolledBackForAnother,
  isRoomless,
  MAX_ATTEMPTS,
  OUTAGES,
  type Outages,
} from './outages.js';
import { SilentConnections, type PgConnection } from './silent-connections.js';
import { NO_LOG } from './knex-log.js';
import { within } from '../within.js';
import { isCertificateFault, systemReason, unconnectedReason } from '../wire/system-error.js';

const PostgresClient = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js') as new (
  config: Knex.Config,
) => Knex.Client & {
  query(
    connection: PgConnection,
    query: unknown,
  ): Promise<{ readonly response?: { readonly command?: string } }>;
  _query(connection: PgConnection, query: unknown): Promise<unknown>;
  acquireConnection(): Promise<PgConnection>;
  destroyRawConnection(connection: PgConnection): Promise<void>;
};

const KEEP_ALIVE_MS = 10_000;
/** How long a connection may take to say goodbye. */
const GOODBYE_MS = 1_000;
/** How long a stop waits for queries under way. */
const CLOSE_MS = 2_000;

export interface PostgresOptions {
  readonly url: string;
  /** Limits a connection that is made, and the wait for a free one. */
  readonly connectTimeoutMs: number;
  /** See SilentConnections. */
  readonly queryTimeoutMs: number;
}

/** What a server that answers has against a connection, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, { readonly problem: string; readonly remedy: string }>> = {
  '28P01': {
    problem: 'PostgreSQL rejects the user or the password',
    remedy: `Correct them in DATABASE_URL; special characters of a password are percent-encoded there.`,
  },
  '28000': {
    problem: 'PostgreSQL does not let this user connect from here',
    remedy: `Correct the user in DATABASE_URL, or allow the connection in pg_hba.conf of the server (with ?sslmode=require for one that must be encrypted).`,
  },
  '3D000': {
    problem: 'PostgreSQL has no database of this name',
    remedy: 'Create it (CREATE DATABASE …), or correct its name in DATABASE_URL.',
  },
  '53300': {
    problem: 'PostgreSQL has no connection free',
    remedy: `End connections of others, or raise the limit: max_connections of the server, or that of the user or the database. Each process of this service takes up to ten.`,
  },
};

/** The driver has no code for it. */
const WITHOUT_TLS = {
  problem: 'PostgreSQL does not take encrypted connections',
  remedy: 'Turn them on there (ssl = on), or take sslmode out of DATABASE_URL where the network is trusted.',
};

const POOLER_FULL = {
  problem: 'the connection pooler before PostgreSQL has no connection free',
  remedy:
    'Raise its limits (of pgbouncer: default_pool_size, max_client_conn and their kin), or end connections of others. Each process of this service takes up to ten.',
};

const ROOMLESS = {
  problem: 'PostgreSQL takes no new connection, since its disk is full',
  remedy: OUTAGES.no_room.remedy,
};

const UNREADABLE_URL = {
  problem: 'DATABASE_URL cannot be read as the address of one server',
  remedy:
    'Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded (/ as %2F, # as %23, % as %25).',
};

/** Why a first connection failed, and what to change. */
export function unconnected(thrown: unknown): { readonly problem: string; readonly remedy: string } {
  let reason: string | undefined;
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    const refusal =
      REFUSALS[code] ?? (error.message.includes('does not support SSL') ? WITHOUT_TLS : undefined);
    if (refusal) return refusal;
    if (isPoolerFull(error)) return POOLER_FULL;
    if (isRoomless(error)) return ROOMLESS;
    if (code === 'ERR_INVALID_URL' || error instanceof URIError) return UNREADABLE_URL;
    const { syscall, path } = error as NodeJS.ErrnoException;
    if (syscall === 'open' && path !== undefined)
      return {
        problem: `DATABASE_URL names the file ${path}, which cannot be read (${systemReason(code)})`,
        remedy: 'Correct the path there, or the permissions of the file.',
      };
    if (isCertificateFault(code))
      return {
        problem: `PostgreSQL has a TLS certificate that is not accepted here (${code})`,
        remedy:
          'Name the file of its authority in DATABASE_URL: ?sslmode=verify-full&sslrootcert=FILE. The host there has to be one that the certificate names.',
      };
    reason ??= unconnectedReason(code);
  }
  return {
    problem: `PostgreSQL does not answer${reason === undefined ? '' : `: ${reason}`}`,
    remedy: `Check host and port in DATABASE_URL, and that the server runs and can be reached from here.`,
  };
}

/** PostgreSQL at an address, by at most ten connections. */
export function openPostgres(
  { url, connectTimeoutMs, queryTimeoutMs }: PostgresOptions,
  outages: Outages,
): { readonly sql: Knex; close(): Promise<void> } {
  const connection = {
    connectionString: url,
    application_name: 'service-mcp',
    types: { getTypeParser },
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: connectTimeoutMs,
  };
  const silent = new SilentConnections(connection, queryTimeoutMs);

  // Without fields of its own: knex makes the client of a transaction from the prototype alone.
  class Client extends PostgresClient {
    override async acquireConnection(): Promise<PgConnection> {
      try {
        return await super.acquireConnection();
      } catch (error) {
        throw outages.translate(untold(error, connectTimeoutMs), 'unreachable');
      }
    }

    override async query(own: PgConnection, query: unknown) {
      silent.begin(own);
      try {
        const answer = await super.query(own, query);
        outages.succeeded(answer.response?.command !== 'SELECT');
        return answer;
      } catch (thrown) {
        const isSpent = !isInTransaction(own) && isRolledBackForAnother(thrown);
        const error = outages.translate(thrown, isSpent ? 'busy' : undefined);
        // Of a server that became a standby: the next connection may lead to the new primary.
        if ((thrown as { code?: unknown }).code === '25006') own.__knex__disposed = 'read-only';
        throw error;
      } finally {
        silent.end(own);
      }
    }

    /** Runs a statement again that PostgreSQL rolled back for another transaction, where it is one of its own. */
    override async _query(own: PgConnection, query: unknown) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await super._query(own, query);
        } catch (error) {
          if (isInTransaction(own) || attempt === MAX_ATTEMPTS || !isRolledBackForAnother(error)) throw error;
        }
      }
    }

    override async destroyRawConnection(own: PgConnection): Promise<void> {
      const late = setTimeout(() => own.connection.stream.destroy(), GOODBYE_MS);
      await new Promise<void>((resolve) => own.end(resolve));
      clearTimeout(late);
    }
  }

  const sql = knex({
    client: Client as unknown as typeof Knex.Client, // as in libsql.ts
    connection,
    pool: {
      min: 0,
      max: 10,
      afterCreate: (own: PgConnection, done: (error?: unknown) => void) => {
        const late = setTimeout(() => own.connection.stream.destroy(), connectTimeoutMs);
        const added = silent.add(own).finally(() => clearTimeout(late));
        void added.then(
          () => done(), // oxlint-disable-line promise/no-callback-in-promise -- the pool speaks callbacks
          done,
        );
      },
    },
    compileSqlOnError: false, // as in libsql.ts
    acquireConnectionTimeout: connectTimeoutMs,
    log: NO_LOG,
  });
  return {
    sql,
    async close() {
      const hurry = setTimeout(() => silent.dropAll(), CLOSE_MS);
      await within(CLOSE_MS + GOODBYE_MS, sql.destroy()); // longer: a connection that is never made
      clearTimeout(hurry);
    },
  };
}

/** Knex marks the connection of a transaction. */
const isInTransaction = (own: PgConnection) => '__knexTxId' in own && own.__knexTxId !== undefined;

/** In place of the words of knex, which look for a mistake in this code. */
function untold(error: unknown, waitedMs: number): unknown {
  if (!(error instanceof knex.KnexTimeoutError)) return error;
  const seconds = String(waitedMs / 1000);
  return new Error(`no connection was made, or came free, within ${seconds} s`, { cause: error });
}

/** bigint and numeric, which counts and sums have: as numbers, as SQLite gives them. No stored value exceeds 2^53. */
const NUMBERS = new Set([20, 1700]);

function getTypeParser(type: number, format?: string): (text: string) => unknown {
  return NUMBERS.has(type)
    ? Number
    : (pg.types.getTypeParser(type, format as 'text') as (text: string) => unknown);
}
