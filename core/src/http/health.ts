import type { Registry } from 'prom-client';
import { ServiceError } from '../errors.js';
import { holdsScope } from '../caller.js';
import type { Authenticator, Database, Deployment, HealthCheck } from '../services.js';
import type { HttpMount } from './index.js';

const METRICS_SCOPE = 'metrics:read';

interface HealthContext {
  readonly deployment: Deployment;
  readonly database: Database;
  readonly metrics: Registry;
  readonly authenticator: Authenticator | undefined;
  readonly health: () => Promise<ReadonlyArray<{ name: string; status: string; message: string }>>;
}

/** `/health` says that the process answers, `/ready` that its storage does, `/metrics` how it fares. */
export function mountHealth(
  { router, ...http }: HttpMount,
  { deployment, database, metrics, authenticator, health }: HealthContext,
): void {
  const { name: server, version } = deployment;
  router.get(['/health', '/api/v1/health'], (ctx) => {
    const jwt_verification = authenticator?.verifiesJwt ? 'local' : 'upstream';
    ctx.body = { status: 'ok', server, version, upstream: null, jwt_verification };
  });
  router.get('/ready', async (ctx) => {
    const reachable = await database.ping().then(
      () => true,
      () => false,
    );
    const checks = reachable ? await health() : [];
    const ready = reachable && checks.every(({ status }) => status !== 'failed');
    ctx.status = ready ? 200 : 503;
    ctx.body = {
      status: ready ? 'ready' : 'unavailable',
      checks: [
        {
          name: 'database',
          status: reachable ? 'ok' : 'failed',
          message: reachable ? 'answers' : 'does not answer',
        },
        ...checks.map((check) => ({ name: check.name, status: check.status, message: check.message })),
      ],
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

/** Runs every check; one that throws has failed. */
export async function runChecks(checks: readonly HealthCheck[]) {
  return Promise.all(
    checks.map(async (part) => {
      try {
        return { name: part.name, ...(await part.check()) };
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
