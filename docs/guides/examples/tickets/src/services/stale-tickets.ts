import { Clock, Events, provide, token } from '@service-mcp/core';
import { config } from '../config.js';

/** Finds what nobody has looked at for too long. */
export interface StaleTickets {
  /** Marks up to 100 tickets; says whether there may be more. */
  mark(): Promise<{ more: boolean }>;
}
export const StaleTickets = token<StaleTickets>('tickets.StaleTickets');

const MAX_A_ROUND = 100;

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly state: string;
  readonly updated_at: string;
}

export const staleTickets = provide(StaleTickets, {
  uses: { events: Events, clock: Clock, settings: config.token },
  create: ({ events, clock, settings }): StaleTickets => ({
    async mark() {
      const before = new Date(clock.now().getTime() - settings.stale_after_seconds * 1000).toISOString();
      const found = await events.change(async (sql, record) => {
        const rows = await sql<Row>('tickets')
          .where({ state: 'open' })
          .where('updated_at', '<', before)
          .select('id', 'workspace_id')
          .limit(MAX_A_ROUND);
        const ids = rows.map(({ id }) => id);
        await sql('tickets').whereIn('id', ids).update({ state: 'stale' });
        record(
          ...rows.map(({ id, workspace_id }) => ({
            type: 'ticket.stale',
            workspaceId: workspace_id,
            data: { id },
          })),
        );
        return rows.length;
      });
      return { more: found === MAX_A_ROUND };
    },
  }),
});
