import { Deployment, defineRoutes } from '@service-mcp/core';
import {
  MCP_PATHS,
  SERVER_DOCUMENTS,
  WELL_KNOWN,
  protectedResource,
} from '@service-mcp/plugin-auth/contract';
import { config } from '../config.js';
import { ServiceConnection } from '../connection/service-connection.js';
import { warnUnauthenticated } from '../identity/warning.js';
import { ServiceMonitor } from '../monitor/monitor.js';
import { createServerDocument } from './server-document.js';

/**
 * The public discovery documents. They name this gateway as the resource and the service's authorization server, so
 * that a rejected client logs in at the service and returns with a token.
 */
export const discoveryRoutes = defineRoutes({
  uses: {
    settings: config.token,
    deployment: Deployment,
    connection: ServiceConnection,
    monitor: ServiceMonitor,
  },
  mount({ router, ...http }, { settings, deployment, connection, monitor }) {
    if (!settings.require_auth && !deployment.loopback) warnUnauthenticated(settings);
    const serverDocument = createServerDocument(connection, () => monitor.up === false);
    const serve = (addresses: readonly string[], document: () => Promise<object>): void => {
      http.openTo(...addresses);
      router.get([...addresses], async (ctx) => {
        ctx.body = await document();
        ctx.set('Cache-Control', 'public, max-age=60');
        ctx.vary('Origin'); // CORS headers depend on the Origin
      });
    };
    for (const path of ['', ...MCP_PATHS]) {
      serve([`${WELL_KNOWN}/oauth-protected-resource${path}`], async () =>
        protectedResource(`${http.origins().mcp}${path}`, (await serverDocument()).issuer),
      );
    }
    for (const name of SERVER_DOCUMENTS) {
      const addresses = MCP_PATHS.flatMap((path) => [
        `${WELL_KNOWN}/${name}${path}`,
        `${path}${WELL_KNOWN}/${name}`,
      ]);
      serve([`${WELL_KNOWN}/${name}`, ...addresses], serverDocument);
    }
  },
});
