import type { Registry } from 'prom-client';
import { ServiceError } from '../errors.js';
import { holdsScope } from '../caller.js';
import type { Database } from '../database.js';
import type { Authenticator, Deployment, HealthCheck } from '../services.js';
import type { HttpMount } from './index.js';

const METRICS_SCOPE = 'metrics:read';

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

interface HealthContext {
  readonly deployment: Deployment;
  readonly metrics: Registry;
  readonly authenticator: Authenticator | undefined;
  readonly ready: () => Promise<readonly Check[]>;
}

/** `/health` says that the process answers, `/ready` that what it needs does, `/metrics` how it fares. */
export function mountHealth(
  { router, ...http }: HttpMount,
  { deployment, metrics, authenticator, ready }: HealthContext,
): void {
  const { name: server, version } = deployment;
  router.get(['/health', '/api/v1/health'], (ctx) => {
    const jwt_verification = authenticator?.verifiesJwt ? 'local' : 'upstream';
    ctx.body = { status: 'ok', server, version, upstream: null, jwt_verification };
  });
  router.get('/ready', async (ctx) => {
    const checks = await ready();
    const isReady = checks.every(({ status }) => status !== 'failed');
    ctx.status = isReady ? 200 : 503;
    ctx.body = {
      status: isReady ? 'ready' : 'unavailable',
      checks: checks.map(({ name, status, message }) => ({ name, status, message })),
    };
  });
  router.get('/metrics', async (ctx) => {
    if (!deployment.loopback) {
      const { caller } = await http.call(ctx, 'rest');
      if (!holdsScope(caller, METRICS_SCOPE)) {
        throw new ServiceError('PERMISSION_DENIED', `This needs a key with the scope ${METRICS_SCOPE}.`, {
          details: { scope: METRICS_SCOPE },
        });
      }
    }
    ctx.type = metrics.contentType;
    ctx.body = await metrics.metrics();
  });
}

/** The database, and where it answers every part that can tell. */
export async function runReady(
  database: Database,
  checks: readonly HealthCheck[],
): Promise<readonly Check[]> {
  const reachable = await database.ping().then(
    () => true,
    () => false,
  );
  const own: Check = reachable
    ? { name: 'database', status: 'ok', message: 'answers' }
    : { name: 'database', status: 'failed', message: 'does not answer' };
  return [own, ...(reachable ? await runChecks(checks) : [])];
}

/** Runs every check; one that throws has failed. */
export async function runChecks(checks: readonly HealthCheck[], options?: { readonly thorough: boolean }) {
  return Promise.all(
    checks.map(async (part) => {
      try {
        return { name: part.name, ...(await part.check(options)) };
      } catch {
        return {
          name: part.name,
          status: 'failed' as const,
          message: 'the check itself failed; the log says why',
        };
      }
    }),
  );
}
