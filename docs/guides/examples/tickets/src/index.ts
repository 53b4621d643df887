import { definePlugin } from '@service-mcp/core';
import { config } from './config.js';
import { eventTypes } from './events.js';
import { createTickets } from './migrations/001-create-tickets.js';
import { triage } from './prompts/triage.js';
import { ticketResource } from './resources/ticket.js';
import { staleTickets } from './services/stale-tickets.js';
import { ticketOwner } from './services/ticket-owner.js';
import { ticketRepository } from './services/ticket-repository.js';
import { ticketData, ticketSource } from './services/ticket-source.js';
import { closeTicket } from './tools/close-ticket.js';
import { createTicket } from './tools/create-ticket.js';
import { listTickets } from './tools/list-tickets.js';
import { markStale } from './workers/mark-stale.js';

export default definePlugin({
  id: 'tickets',
  description: 'Tickets of a workspace.',
  api: '^1',
  requires: ['workspaces', 'search'],
  config,
  migrations: [createTickets],
  services: [ticketRepository, ticketOwner, staleTickets, ticketSource, ticketData],
  workers: [markStale],
  events: eventTypes,
  resources: [ticketResource],
  prompts: [triage],
  toolsets: [
    {
      id: 'tickets',
      description: 'Open, list and close tickets.',
      tools: [createTicket, listTickets, closeTicket],
    },
  ],
});
