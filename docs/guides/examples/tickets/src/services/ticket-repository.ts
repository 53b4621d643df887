import {
  CallAdmission,
  Clock,
  Database,
  Events,
  notFound,
  provideForCall,
  selectPage,
  token,
  uuidv7,
  type PageOf,
} from '@service-mcp/core';
import type { Ticket } from '../schemas.js';

/** The tickets that one call may touch: every query is confined to what the call was admitted to. */
export interface TicketRepository {
  /** The workspace must be the one that the call was admitted to. */
  create(ticket: { workspace_id: string; title: string; body: string }): Promise<Ticket>;
  list(
    filter: { state?: Ticket['state'] },
    paging: { page: number; per_page: number },
  ): Promise<PageOf<Ticket>>;
  /** Throws NOT_FOUND. */
  get(id: string): Promise<Ticket>;
  /** Throws NOT_FOUND. */
  close(id: string): Promise<Ticket>;
}
export const TicketRepository = token<TicketRepository>('tickets.TicketRepository');

const COLUMNS = [
  'id',
  'workspace_id',
  'title',
  'body',
  'state',
  'created_at',
  'updated_at',
  'indexing_status',
];

export const ticketRepository = provideForCall(TicketRepository, {
  uses: { database: Database, events: Events, clock: Clock, admission: CallAdmission },
  create: ({ database, events, clock, admission }): TicketRepository => {
    const visible = () => database.sql('tickets').whereIn('workspace_id', admission.workspaceIds);
    const get = async (id: string): Promise<Ticket> => {
      const row = (await visible().where({ id }).select(COLUMNS).first()) as Ticket | undefined;
      if (!row) throw notFound('ticket', id, 'tickets_list');
      return row;
    };
    return {
      get,
      async create(input) {
        const at = clock.now().toISOString();
        const ticket: Ticket = {
          ...input,
          id: uuidv7(),
          state: 'open',
          created_at: at,
          updated_at: at,
          indexing_status: 'pending',
        };
        await events.change(async (sql, record) => {
          await sql('tickets').insert({ ...ticket, revision: 1, attempts: 0 });
          record({ type: 'ticket.created', workspaceId: ticket.workspace_id, data: { id: ticket.id } });
        });
        return ticket;
      },
      list({ state }, paging) {
        const query = visible().orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }]);
        if (state !== undefined) void query.where({ state });
        return selectPage<Ticket, Ticket>(query.select(COLUMNS), paging, (row) => row);
      },
      async close(id) {
        const ticket = await get(id);
        if (ticket.state === 'closed') return ticket;
        const workspaceId = ticket.workspace_id;
        const updated_at = clock.now().toISOString();
        await events.change(async (sql, record) => {
          await sql('tickets')
            .where({ id, workspace_id: workspaceId })
            .update({ state: 'closed', updated_at, indexing_status: 'pending', attempts: 0 })
            .increment('revision', 1);
          record({ type: 'ticket.closed', workspaceId, data: { id } });
        });
        return get(id);
      },
    };
  },
});
