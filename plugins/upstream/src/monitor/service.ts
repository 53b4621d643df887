import { setTimeout as sleep } from 'node:timers/promises';
import { Deployment, Log, Metrics, UpstreamHealth, provide } from '@service-mcp/core';
import { Gauge } from 'prom-client';
import { ServiceConnection } from '../connection/service.js';
import { CallerCredentials } from '../identity/credentials.js';
import { Monitor, ServiceMonitor } from './monitor.js';
import { answers } from './probe.js';
import { watchChanges } from './watch.js';

/** After how long a stream of changes that ended, or was refused, is opened again. */
const AGAIN_MS = 1_000;
const REFUSED_MS = 60_000;

export const monitor = provide(ServiceMonitor, {
  uses: {
    log: Log,
    metrics: Metrics,
    deployment: Deployment,
    connection: ServiceConnection,
    credentials: CallerCredentials,
  },
  create({ log, metrics, deployment, connection, credentials }) {
    const gauge = new Gauge({
      name: 'service_mcp_upstream_up',
      help: 'Whether the service behind this gateway answers: 1 or 0.',
      registers: [metrics],
    });
    let watching: AbortController | undefined;
    const watch = async ({ signal }: AbortController): Promise<void> => {
      const asking = { connection, version: deployment.version, credential: credentials.own };
      while (!signal.aborted) {
        const heard = await watchChanges(asking, { signal, log, tell: (change) => made.tell(change) });
        if (signal.aborted) return;
        void made.look();
        await sleep(heard ? AGAIN_MS : REFUSED_MS, undefined, { ref: false, signal }).catch(() => undefined);
      }
    };
    const made = new Monitor({
      base: connection.base,
      log,
      probe: () => answers(connection),
      onState(up) {
        gauge.set(up ? 1 : 0);
        watching?.abort();
        watching = up ? new AbortController() : undefined;
        if (watching) void watch(watching);
      },
    });
    connection.onOutcome((answered) => made.note(answered));
    return made;
  },
  close: (made) => made.stop(),
});

const PATIENCE_MS = 400;

export const upstreamHealth = provide(UpstreamHealth, {
  uses: { monitor: ServiceMonitor, connection: ServiceConnection },
  create: ({ monitor: made, connection }) => ({
    async status() {
      // A service that hangs is known by what was seen last.
      const known = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => made.up ?? false);
      const up = await Promise.race([made.look(), known]);
      return { url: connection.base, status: up ? 'reachable' : 'unreachable' };
    },
  }),
});
