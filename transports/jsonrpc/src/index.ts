import { defineTransport } from '@service-mcp/core';
import { Cancellations, largestBody, sessionsInMemory } from '@service-mcp/core/wire';
import { mountCompatibility } from './compatibility.js';
import { JsonRpcConfig } from './config.js';
import type { Service } from './methods.js';
import { postRpc } from './rpc.js';

export { JsonRpcConfig } from './config.js';

export default defineTransport({
  id: 'jsonrpc',
  description: 'JSON-RPC at /api/v1/rpc, and the compatibility routes /api/v1/initialize and /api/v1/tools.',
  api: '^1',
  config: JsonRpcConfig,
  mount({ catalog, declared, config, deployment, http }) {
    const service: Service = {
      catalog,
      version: deployment.version,
      sessions: sessionsInMemory({
        limit: config.session_limit,
        idleMs: config.session_idle_minutes * 60_000,
      }),
      cancellations: new Cancellations(),
    };
    const limit = largestBody(declared);
    http.router.post('/api/v1/rpc', (ctx) => postRpc(service, http, ctx, limit));
    mountCompatibility(service, http, declared);
  },
});
