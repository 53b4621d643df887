import { definePlugin } from '@service-mcp/core';
import { upstreamCatalog } from './catalog/catalog.js';
import { config } from './config.js';
import { callerCredentials, connection } from './connection/service.js';
import { discoveryRoutes } from './discovery/routes.js';
import { authenticator } from './identity/authenticator.js';
import { monitor, upstreamHealth } from './monitor/service.js';

export default definePlugin({
  id: 'upstream',
  description: 'The tools of a hosted service, for a gateway on a machine of its own.',
  api: '^1',
  config,
  services: [connection, callerCredentials, monitor, upstreamHealth, authenticator, upstreamCatalog],
  routes: [discoveryRoutes],
});
