import { defineTransport } from '@service-mcp/core';
import { Cancellations, largestBody, sessionsInMemory } from '@service-mcp/core/wire';
import { McpConfig } from './config.js';
import { post, refuse, remove, type Endpoint } from './endpoint.js';
import { legOf } from './exchange.js';
import { legacyHandler, modernHandler } from './legs.js';

export { McpConfig } from './config.js';
export { MAX_RESULT_TOKENS } from './cap.js';
export { serveMcpStdio, type StdioConnection, type StdioOptions } from './stdio.js';

/** The generic endpoint first; the others are named for clients and show every tool under the ceiling. */
const ENDPOINTS = [
  { path: '/mcp', ceiling: false },
  { path: '/agent-a', ceiling: true },
  { path: '/agent-b', ceiling: true },
  { path: '/client', ceiling: true },
];

export default defineTransport({
  id: 'mcp',
  description:
    'The Model Context Protocol over HTTP: /mcp, and /agent-a, /agent-b and /client with every tool.',
  api: '^1',
  config: McpConfig,
  mount({ catalog, declared, config, deployment, log, http }) {
    const settings = { catalog, version: deployment.version, log };
    const modern = modernHandler(settings);
    const endpoint: Endpoint = {
      http,
      catalog,
      sessions: sessionsInMemory({
        limit: config.session_limit,
        idleMs: config.session_idle_minutes * 60_000,
      }),
      cancellations: new Cancellations(),
      modern: legOf(modern),
      legacy: legOf(legacyHandler(settings)),
      bodyLimit: largestBody(declared),
    };
    for (const { path, ceiling } of ENDPOINTS) {
      http.router.post(path, (ctx) => post(endpoint, ctx, ceiling));
      http.router.delete(path, (ctx) => remove(endpoint, ctx));
      http.router.register(path, ['GET', 'PUT', 'PATCH'], (ctx) => refuse(endpoint, ctx));
    }
    const unlisten = catalog.onListChanged(() => {
      modern.notify.toolsChanged();
      modern.notify.promptsChanged();
      modern.notify.resourcesChanged();
    });
    return async () => {
      unlisten();
      await modern.close();
    };
  },
});
