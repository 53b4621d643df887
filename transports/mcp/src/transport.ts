import { defineTransport, type Transport } from '@service-mcp/core';
import { Cancellations, largestBody, rpcFailure } from '@service-mcp/core/wire';
import type { Context } from 'koa';
import { ChangeStreams } from './change-streams.js';
import { fail, type Endpoint } from './endpoint.js';
import { OpenStreams } from './event-stream.js';
import { modernHandler } from './http-handlers.js';
import { endSession, openChangeStream } from './legacy.js';
import { PendingRequests } from './pending-requests.js';
import { post } from './post.js';
import { routesOf } from './routes.js';
import { koaHandler } from './sdk-bridge.js';

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
    routes: ENDPOINTS.flatMap(({ path, ceiling }) => routesOf(path, ceiling)),
    mount({ catalog, declared, sessions, seal, metrics, deployment, log, http }) {
      const { version } = deployment;
      const pending = new PendingRequests();
      const changes = new ChangeStreams();
      const open = new OpenStreams(heartbeatMs);
      const modern = modernHandler({ catalog, version, log, seal, heartbeatMs });
      const endpoint: Endpoint = {
        http,
        catalog,
        sessions,
        seal,
        log,
        version,
        cancellations: new Cancellations(),
        pending,
        changes,
        open,
        bodyLimit: largestBody(declared),
        heartbeatMs,
        modern: koaHandler(modern),
      };
      const answering =
        (serve: (endpoint: Endpoint, ctx: Context) => Promise<void>) => async (ctx: Context) => {
          try {
            await serve(endpoint, ctx);
          } catch (thrown) {
            fail(endpoint, ctx, thrown, null);
          }
        };
      http.formatFailures((error, address) =>
        ENDPOINTS.some(({ path }) => path === address) ? rpcFailure(error) : undefined,
      );
      for (const { path, ceiling } of ENDPOINTS) {
        http.openToLoopback(path);
        http.router.post(path, (ctx) => post(endpoint, ctx, ceiling));
        http.router.get(path, answering(openChangeStream));
        http.router.delete(path, answering(endSession));
      }
      metrics.gauge({
        name: 'service_mcp_change_streams',
        help: 'Event streams that MCP clients hold open',
        read: (set) => set(open.count),
      });
      metrics.gauge({
        name: 'service_mcp_questions',
        help: 'Questions to MCP clients that wait for an answer',
        read: (set) => set(pending.count),
      });
      const unsubscribe = catalog.onChanged((change) => {
        if (change.kind === 'resource') return; // each subscription hears of those that its caller may see
        changes.send(change.kind);
        modern.notify[`${change.kind}Changed`]();
      });
      return async () => {
        unsubscribe();
        changes.close();
        await modern.close();
      };
    },
  });
}
