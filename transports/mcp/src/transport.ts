import { defineTransport, type Transport } from '@service-mcp/core';
import { Cancellations, largestBody } from '@service-mcp/core/wire';
import { ChangeStreams } from './change-streams.js';
import { refuse, type Endpoint } from './endpoint.js';
import { koaHandler } from './sdk-bridge.js';
import { registerGauges } from './gauges.js';
import { endSession, openChangeStream } from './legacy.js';
import { legacyHandler, modernHandler } from './http-handlers.js';
import { OpenStreams } from './open-streams.js';
import { post } from './post.js';
import { PendingRequests } from './pending-requests.js';

/** The generic endpoint first; the others are named for clients and show every tool under the ceiling. */
const ENDPOINTS = [
  { path: '/mcp', ceiling: false },
  { path: '/agent-a', ceiling: true },
  { path: '/agent-b', ceiling: true },
  { path: '/client', ceiling: true },
];

const HEARTBEAT_MS = 15_000;

/** `heartbeatMs`: interval of the heartbeats of an open event stream, and of the checks of its credential; default 15 s. */
export function mcpTransport({ heartbeatMs = HEARTBEAT_MS }: { heartbeatMs?: number } = {}): Transport {
  return defineTransport({
    id: 'mcp',
    description:
      'The Model Context Protocol over HTTP: /mcp, and /agent-a, /agent-b and /client with every tool.',
    api: '^1',
    mount({ catalog, declared, sessions, seal, metrics, deployment, log, http }) {
      const pending = new PendingRequests();
      const settings = { catalog, version: deployment.version, log, seal, pending, heartbeatMs };
      const modern = modernHandler(settings);
      const changes = new ChangeStreams();
      const open = new OpenStreams(heartbeatMs);
      registerGauges(metrics, open, pending);
      const endpoint: Endpoint = {
        http,
        catalog,
        sessions,
        cancellations: new Cancellations(),
        pending,
        changes,
        open,
        modern: koaHandler(modern),
        legacy: legacyHandler(settings),
        bodyLimit: largestBody(declared),
        heartbeatMs,
      };
      for (const { path, ceiling } of ENDPOINTS) {
        http.router.post(path, (ctx) => post(endpoint, ctx, ceiling));
        http.router.get(path, (ctx) => openChangeStream(endpoint, ctx));
        http.router.delete(path, (ctx) => endSession(endpoint, ctx));
        http.router.register(path, ['PUT', 'PATCH'], (ctx) => refuse(endpoint, ctx));
      }
      const unsubscribe = catalog.onChanged((change) => {
        changes.send(change);
        if (change.kind === 'resource') modern.notify.resourceUpdated(change.uri);
        else modern.notify[`${change.kind}Changed`]();
      });
      return async () => {
        unsubscribe();
        changes.close();
        await modern.close();
      };
    },
  });
}
