import type { HttpMount } from '@service-mcp/core/http';
import type { Context } from 'koa';
import { MCP_PATHS } from './addresses.js';
import {
  SERVER_DOCUMENTS,
  WELL_KNOWN,
  authorizationServer,
  protectedResource,
} from './discovery-documents.js';

/** Serves the discovery documents at every address that clients try, with CORS for every origin. */
export function mountDiscovery({ router, ...http }: HttpMount): void {
  for (const path of ['', ...MCP_PATHS]) {
    const address = `${WELL_KNOWN}/oauth-protected-resource${path}`;
    http.openTo(address);
    router.get(address, (ctx) => {
      allowCaching(ctx);
      ctx.body = protectedResource(`${http.origins().mcp}${path}`, http.origins().base);
    });
  }
  for (const name of SERVER_DOCUMENTS) {
    const addresses = [
      `${WELL_KNOWN}/${name}`,
      ...MCP_PATHS.flatMap((path) => [`${WELL_KNOWN}/${name}${path}`, `${path}${WELL_KNOWN}/${name}`]),
    ];
    http.openTo(...addresses);
    router.get(addresses, (ctx) => {
      allowCaching(ctx);
      ctx.body = authorizationServer(http.origins());
    });
  }
}

/** Caches keep it for five minutes, per Origin. */
function allowCaching(ctx: Context): void {
  ctx.set('Cache-Control', 'public, max-age=300');
  ctx.vary('Origin');
}
