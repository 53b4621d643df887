import { defineTransport } from '@service-mcp/core';
import { mountDashboard } from './mount.js';
import { ROUTES } from './routes.js';

/** The dashboard at /app/: pages in a browser, over the REST routes of this deployment. */
export default defineTransport({
  id: 'web',
  description: 'The dashboard at /app/: pages in a browser over the REST routes.',
  api: '^1',
  routes: ROUTES,
  hasPages: true,
  mount({ http, deployment }) {
    mountDashboard(http, deployment);
  },
});
