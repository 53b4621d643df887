import { defineTransport, type Transport } from '@service-mcp/core';
import { Cancellations, largestBody } from '@service-mcp/core/wire';
import { ChangeStreams } from './change-streams.js';
import { refuse, type Endpoint } from './endpoint.js';
import { legOf } from './exchange.js';
import { countOpen } from './gauges.js';
import { follow, remove } from './legacy.js';
import { legacyLeg, modernHandler } from './legs.js';
import { OpenStreams } from './open-streams.js';
import { post } from './post.js';
import { Questions } from './questions.js';

/** The generic endpoint first; the others are named for clients and show every tool under the ceiling. */
const ENDPOINTS = [
  { path: '/mcp', ceiling: false },
  { path: '/agent-a', ceiling: true },
  { path: '/agent-b', ceiling: true },
  { path: '/client', ceiling: true },
];

const HEARTBEAT_MS = 15_000;

/** `heartbeatMs`: how often an open event stream shows that it lives, and its credential is looked at again; 15 s unless given. */
export function mcpTransport({ heartbeatMs = HEARTBEAT_MS }: { heartbeatMs?: number } = {}): Transport {
  return defineTransport({
    id: 'mcp',
    description:
      'The Model Context Protocol over HTTP: /mcp, and /agent-a, /agent-b and /client with every tool.',
    api: '^1',
    mount({ catalog, declared, sessions, seal, metrics, deployment, log, http }) {
      const questions = new Questions();
      const settings = { catalog, version: deployment.version, log, seal, questions, heartbeatMs };
      const modern = modernHandler(settings);
      const changes = new ChangeStreams();
      const open = new OpenStreams(heartbeatMs);
      countOpen(metrics, open, questions);
      const endpoint: Endpoint = {
        http,
        catalog,
        sessions,
        cancellations: new Cancellations(),
        questions,
        changes,
        open,
        modern: legOf(modern),
        legacy: legacyLeg(settings),
        bodyLimit: largestBody(declared),
        heartbeatMs,
      };
      for (const { path, ceiling } of ENDPOINTS) {
        http.router.post(path, (ctx) => post(endpoint, ctx, ceiling));
        http.router.get(path, (ctx) => follow(endpoint, ctx));
        http.router.delete(path, (ctx) => remove(endpoint, ctx));
        http.router.register(path, ['PUT', 'PATCH'], (ctx) => refuse(endpoint, ctx));
      }
      const unlisten = catalog.onChanged((change) => {
        changes.tell(change);
        if (change.kind === 'resource') modern.notify.resourceUpdated(change.uri);
        else modern.notify[`${change.kind}Changed`]();
      });
      return async () => {
        unlisten();
        changes.close();
        await modern.close();
      };
    },
  });
}
