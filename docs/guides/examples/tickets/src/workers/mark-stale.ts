import { defineWorker } from '@service-mcp/core';
import { StaleTickets } from '../services/stale-tickets.js';

/** Once a second, in one process of the deployment. */
export const markStale = defineWorker({
  id: 'tickets.mark-stale',
  uses: { tickets: StaleTickets },
  everyMs: 1000,
  exclusive: true,
  run: ({ tickets }) => tickets.mark(),
});
