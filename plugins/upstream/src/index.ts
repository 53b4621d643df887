import { definePlugin } from '@service-mcp/core';
import { upstreamCatalog } from './catalog/catalog.js';
import { config } from './config.js';
import { callerCredentials, connection } from './connection/service-connection.js';
import { discoveryRoutes } from './discovery/discovery-routes.js';
import { authenticator } from './identity/authenticator.js';
import { monitor, upstreamHealth } from './monitor/monitor-services.js';

export default definePlugin({
  id: 'upstream',
  description: 'The tools of a remote service, for a gateway.',
  api: '^1',
  config,
  services: [connection, callerCredentials, monitor, upstreamHealth, authenticator, upstreamCatalog],
  routes: [discoveryRoutes],
});
