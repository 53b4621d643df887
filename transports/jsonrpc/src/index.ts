import { defineTransport } from '@service-mcp/core';
import { Cancellations, largestBody, rpcFailure } from '@service-mcp/core/wire';
import { mountCompatibility } from './compatibility.js';
import type { Service } from './methods.js';
import { ROUTES } from './routes.js';
import { postRpc } from './rpc.js';
import { mountStream } from './stream.js';

/** The paths of plain bodies, in lower case. */
const PLAIN_PATH = /^\/api\/v1\/(?:initialize|stream|tools\/[^/]+)$/;

export default defineTransport({
  id: 'jsonrpc',
  description:
    'JSON-RPC at /api/v1/rpc, the compatibility routes /api/v1/initialize and /api/v1/tools, and change events at /api/v1/stream.',
  api: '^1',
  routes: ROUTES,
  mount({ catalog, declared, deployment, http, sessions, metrics }) {
    const service: Service = {
      catalog,
      version: deployment.version,
      sessions,
      cancellations: new Cancellations(),
    };
    const limit = largestBody(declared);
    http.router.post('/api/v1/rpc', (ctx) => postRpc(service, http, ctx, limit));
    http.formatFailures((error, path) => {
      if (path === '/api/v1/rpc') return rpcFailure(error);
      return PLAIN_PATH.test(path) ? { error: error.body } : undefined;
    });
    mountCompatibility(service, http, declared);
    mountStream(catalog, http, metrics);
  },
});
