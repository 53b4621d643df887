import {
  CallAdmission,
  Clock,
  Database,
  Events,
  WORK_PENDING,
  WorkQueues,
  notFound,
  provideForCall,
  selectPage,
  token,
  uuidv7,
  type PageOf,
} from '@service-mcp/core';
import type { Ticket } from '../schemas.js';
import type { TicketRow } from './ticket-source.js';

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
] as const;

export const ticketRepository = provideForCall(TicketRepository, {
  uses: { database: Database, events: Events, clock: Clock, queues: WorkQueues, admission: CallAdmission },
  create: ({ database, events, clock, queues, admission }): TicketRepository => {
    const queue = queues.open<TicketRow>({ name: 'tickets', table: 'tickets' });
    const visible = () => database.sql('tickets').whereIn('workspace_id', admission.workspaceIds);
    const get = async (id: string): Promise<Ticket> => {
      const row: Ticket | undefined = await visible()
        .where({ id })
        .first(...COLUMNS);
      if (!row) throw notFound('ticket', id, 'tickets_list');
      return row;
    };
    return {
      get,
      async create(input) {
        const at = clock.now().toISOString();
        const row = { ...input, id: uuidv7(), state: 'open', created_at: at, updated_at: at } as const;
        await events.change(async (sql, record) => {
          await sql('tickets').insert({ ...row, ...queue.added() });
          record({ type: 'ticket.created', workspaceId: row.workspace_id, data: { id: row.id } });
        });
        events.wake(WORK_PENDING);
        return { ...row, indexing_status: 'pending' };
      },
      list({ state }, paging) {
        const query = visible().orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }]);
        if (state !== undefined) void query.where({ state });
        return selectPage<Ticket, Ticket>(query.select(COLUMNS), paging, (row) => row);
      },
      async close(id) {
        const ticket = await get(id);
        if (ticket.state === 'closed') return ticket;
        const { workspace_id } = ticket;
        const updated_at = clock.now().toISOString();
        await events.change(async (sql, record) => {
          await sql('tickets')
            .where({ id, workspace_id })
            .update({ state: 'closed', updated_at, ...queue.changed(sql) });
          record({ type: 'ticket.closed', workspaceId: workspace_id, data: { id } });
        });
        return get(id);
      },
    };
  },
});
