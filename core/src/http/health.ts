import type { Registry } from 'prom-client';
import type { Database, Deployment, HealthCheck } from '../services.js';
import type { HttpMount } from './index.js';

interface HealthContext {
  readonly deployment: Deployment;
  readonly database: Database;
  readonly metrics: Registry;
  readonly health: () => Promise<ReadonlyArray<{ name: string; status: string; message: string }>>;
}

/** `/health` says that the process answers, `/ready` that its storage does, `/metrics` how it fares. */
export function mountHealth(
  { router }: HttpMount,
  { deployment, database, metrics, health }: HealthContext,
): void {
  const { name: server, version } = deployment;
  router.get(['/health', '/api/v1/health'], (ctx) => {
    ctx.body = { status: 'ok', server, version, upstream: null, jwt_verification: 'upstream' };
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
