import { setTimeout as sleep } from 'node:timers/promises';
import { Deployment, Log, Metrics, UpstreamHealth, provide } from '@service-mcp/core';
import { ServiceConnection } from '../connection/service-connection.js';
import { CallerCredentials } from '../identity/credentials.js';
import { Monitor, ServiceMonitor } from './monitor.js';
import { isServiceUp } from './probe.js';
import { watchLists } from './watch-lists.js';

/** Delay before reopening a change stream that ended, or was rejected. */
const RECONNECT_MS = 1_000;
const REJECTED_RETRY_MS = 60_000;

export const monitor = provide(ServiceMonitor, {
  uses: {
    log: Log,
    metrics: Metrics,
    deployment: Deployment,
    connection: ServiceConnection,
    credentials: CallerCredentials,
  },
  create({ log, metrics, deployment, connection, credentials }) {
    metrics.gauge({
      name: 'service_mcp_upstream_up',
      help: 'Whether the service behind this gateway is available: 1 or 0.',
      read: (set) => set(created.up ? 1 : 0),
    });
    let watching: AbortController | undefined;
    const watch = async ({ signal }: AbortController): Promise<void> => {
      const access = { connection, version: deployment.version, credential: credentials.own };
      while (!signal.aborted) {
        const wasAccepted = await watchLists(access, {
          signal,
          log,
          notify: (change) => created.notify(change),
        });
        if (signal.aborted) return;
        void created.check();
        await sleep(wasAccepted ? RECONNECT_MS : REJECTED_RETRY_MS, undefined, { ref: false, signal }).catch(
          () => undefined,
        );
      }
    };
    const created = new Monitor({
      base: connection.base,
      log,
      probe: () => isServiceUp(connection),
      onState(up) {
        watching?.abort();
        watching = up ? new AbortController() : undefined;
        if (watching) void watch(watching);
      },
    });
    connection.onOutcome((responded) => created.report(responded));
    return created;
  },
  close: (created) => created.stop(),
});

const STATUS_TIMEOUT_MS = 400;

export const upstreamHealth = provide(UpstreamHealth, {
  uses: { monitor: ServiceMonitor, connection: ServiceConnection },
  create: ({ monitor: created, connection }) => ({
    async status() {
      // A hanging service keeps its last known state.
      const known = sleep(STATUS_TIMEOUT_MS, undefined, { ref: false }).then(() => created.up ?? false);
      const up = await Promise.race([created.check(), known]);
      return { url: connection.base, status: up ? 'reachable' : 'unreachable' };
    },
  }),
});
