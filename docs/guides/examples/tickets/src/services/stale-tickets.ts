import { Clock, Database, Events, provide, token } from '@service-mcp/core';
import { config } from '../config.js';

/** Finds what nobody has looked at for too long. */
export interface StaleTickets {
  /** Marks up to 100 tickets; says whether there may be more. */
  mark(): Promise<{ more: boolean }>;
}
export const StaleTickets = token<StaleTickets>('tickets.StaleTickets');

const MOST_A_ROUND = 100;

export const staleTickets = provide(StaleTickets, {
  uses: { database: Database, events: Events, clock: Clock, settings: config.token },
  create: ({ database, events, clock, settings }): StaleTickets => ({
    async mark() {
      const before = new Date(clock.now().getTime() - settings.stale_after_seconds * 1000).toISOString();
      const found = await database.transaction(async (sql) => {
        const rows = (await sql('tickets')
          .where({ state: 'open' })
          .where('updated_at', '<', before)
          .select('id', 'workspace_id')
          .limit(MOST_A_ROUND)) as Array<{ id: string; workspace_id: string }>;
        const ids = rows.map(({ id }) => id);
        await sql('tickets').whereIn('id', ids).update({ state: 'stale' });
        await events.record(
          sql,
          rows.map(({ id, workspace_id }) => ({
            type: 'ticket.stale',
            workspaceId: workspace_id,
            data: { id },
          })),
        );
        return rows.length;
      });
      if (found > 0) events.announce('ticket.stale');
      return { more: found === MOST_A_ROUND };
    },
  }),
});
