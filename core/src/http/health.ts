import type { Context } from 'koa';
import type { Registry } from 'prom-client';
import { ServiceError } from '../errors.js';
import { holdsScope } from '../caller.js';
import type { Database } from '../database.js';
import type { HealthCheck } from '../services.js';
import { OUTAGES, outageRemedy, type OutageReason, type OutageRow } from '../storage/outages.js';
import { within } from '../within.js';
import type { HttpBase, HttpMount } from './index.js';

const METRICS_SCOPE = 'metrics:read';

/** The state of one part, as `/ready` shows it. */
export interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  /** What the operator does about it. */
  readonly remedy?: string;
}

interface HealthContext {
  readonly version: string;
  /** What `/health` says beside that the process answers. */
  readonly about: () => Promise<{
    /** The service behind a gateway; null of a service. */
    readonly upstream: object | null;
    readonly jwt_verification: 'local' | 'upstream';
  }>;
  readonly ready: () => Promise<readonly Check[]>;
  /** Public id of the database; a gateway has none. */
  readonly installation?: string;
  readonly metrics: Registry;
  /** Throws for a reader who may not see the metrics. Default: everybody may. */
  readonly admit?: (ctx: Context) => Promise<void>;
}

/** `/health` says that the process answers, `/ready` that what it needs does, `/metrics` how it fares. */
export function mountHealth(
  { router }: Pick<HttpBase, 'router'>,
  { version, about, ready, installation, metrics, admit }: HealthContext,
): void {
  router.get(['/health', '/api/v1/health'], async (ctx) => {
    ctx.body = { status: 'ok', server: 'service-mcp', version, ...(await about()) };
  });
  router.get('/ready', async (ctx) => {
    const checks = await ready();
    const isReady = checks.every(({ status }) => status !== 'failed');
    ctx.status = isReady ? 200 : 503;
    ctx.body = {
      status: isReady ? 'ready' : 'unavailable',
      installation,
      checks: checks.map(({ name, status, message, remedy }) => ({ name, status, message, remedy })),
    };
  });
  router.get('/metrics', async (ctx) => {
    await admit?.(ctx);
    ctx.type = metrics.contentType;
    ctx.body = await metrics.metrics();
  });
}

/** Admits keys with the scope of the metrics. */
export function needsMetricsScope(http: HttpMount): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const { caller } = await http.call(ctx, 'rest');
    if (holdsScope(caller, METRICS_SCOPE)) return;
    throw new ServiceError('PERMISSION_DENIED', `This needs a key with the scope ${METRICS_SCOPE}.`, {
      details: { scope: METRICS_SCOPE },
    });
  };
}

/** Probes expect an answer within two seconds: the database has most of it, the other checks have the rest. */
const PING_MS = 1_400;
const READY_MS = 1_900;

/** The database, and where it answers every part that can tell, within two seconds. */
export async function runReady(
  database: Database,
  checks: readonly HealthCheck[],
): Promise<readonly Check[]> {
  const endsAt = performance.now() + READY_MS;
  const answer = await within(
    PING_MS,
    database
      .ping()
      .then(() => ({ name: 'database', status: 'ok', message: 'answers, and takes writes' }), outageCheck),
  );
  if (answer && answer.status !== 'failed') {
    const others = await Promise.all(
      checks.map((part) =>
        within(endsAt - performance.now(), runCheck(part)).then((found) => found ?? slow(part)),
      ),
    );
    return [answer, ...others];
  }
  // The embedded engine is in this process: it is busy, not away.
  if (answer === undefined && database.engine === 'sqlite')
    return [{ name: 'database', status: 'degraded', message: 'is busy: it did not answer in time' }];
  return [answer ?? DATABASE_AWAY];
}

const DATABASE_AWAY: Check = {
  name: 'database',
  status: 'failed',
  message: 'does not answer',
  remedy: OUTAGES.unreachable.remedy,
};

/** Of an outage: a database with a full disk, or read-only, still serves what reads. */
const STATUS: Readonly<Record<OutageReason, 'degraded' | 'failed'>> = {
  unreachable: 'failed',
  refused: 'failed',
  no_connection: 'failed',
  no_room: 'failed',
  disk_failing: 'failed',
  file_gone: 'failed',
  disk_full: 'degraded',
  read_only: 'degraded',
  busy: 'degraded',
  stuck: 'degraded',
};

function outageCheck(error: unknown): Check {
  const reason = error instanceof ServiceError ? (error.details?.['reason'] as OutageReason) : 'unreachable';
  if (!(error instanceof ServiceError) || reason === 'unreachable' || !Object.hasOwn(STATUS, reason))
    return DATABASE_AWAY;
  const { remedy }: OutageRow = OUTAGES[reason];
  return {
    name: 'database',
    status: STATUS[reason],
    message: error.message,
    ...(remedy !== undefined && { remedy }),
  };
}

const slow = ({ name }: HealthCheck): Check => ({
  name,
  status: 'degraded',
  message: 'did not answer in time',
});

/** Runs every check; one that throws has failed. */
export async function runChecks(checks: readonly HealthCheck[], options?: { readonly thorough: boolean }) {
  return Promise.all(checks.map((part) => runCheck(part, options)));
}

async function runCheck(part: HealthCheck, options?: { readonly thorough: boolean }) {
  try {
    return { name: part.name, ...(await part.check(options)) };
  } catch (error) {
    const remedy = outageRemedy(error);
    if (remedy !== undefined && error instanceof ServiceError)
      return {
        name: part.name,
        status: 'failed' as const,
        message: `the check was cut off: ${error.message}`,
        remedy,
      };
    return {
      name: part.name,
      status: 'failed' as const,
      message: 'the check itself failed; the log says why',
    };
  }
}
