import { Clock, Database, provide, token } from '@service-mcp/core';
import { aiConfig } from '../config.js';

/** Tokens spent and allowed, of a workspace, in the current day and month (UTC). */
export interface Spent {
  readonly day: { readonly used: number; readonly limit: number };
  readonly month: { readonly used: number; readonly limit: number };
}

/** The day and month (UTC) from which tokens were taken. */
export interface Reservation {
  readonly day: string;
  readonly month: string;
}

/** Limits what the workspaces spend on models, in the database: all processes count together. */
export interface TokenSpend {
  /** Takes so many tokens at once; undefined where that exceeds a limit. */
  reserve(workspaceId: string, tokens: number): Promise<Reservation | undefined>;
  /**
   * Gives back tokens that were reserved and not used, unless the day or month of the reservation is over; a negative
   * number takes more, whatever the limit.
   */
  refund(workspaceId: string, tokens: number, from: Reservation): Promise<void>;
  read(workspaceId: string): Promise<Spent>;
}
export const TokenSpend = token<TokenSpend>('ai.TokenSpend');

interface Row {
  readonly day: string;
  readonly day_tokens: number;
  readonly month: string;
  readonly month_tokens: number;
}

export const tokenSpend = provide(TokenSpend, {
  uses: { database: Database, clock: Clock, config: aiConfig.token },
  create({ database: { sql }, clock, config }): TokenSpend {
    const { plan_tokens_per_day: perDay, plan_tokens_per_month: perMonth } = config;
    const now = () => {
      const day = clock.now().toISOString().slice(0, 10);
      return { day, month: day.slice(0, 7) };
    };
    return {
      async reserve(workspace_id, tokens) {
        const { day, month } = now();
        const row = { workspace_id, day, day_tokens: 0, month, month_tokens: 0 };
        await sql('ai_spend').insert(row).onConflict('workspace_id').ignore();
        // One statement: of two calls at once, the second counts what the first has taken.
        const usedToday = 'CASE WHEN day = ? THEN day_tokens ELSE 0 END + ?';
        const usedThisMonth = 'CASE WHEN month = ? THEN month_tokens ELSE 0 END + ?';
        const changed = await sql('ai_spend')
          .where({ workspace_id })
          .whereRaw(`${usedToday} <= ?`, [day, tokens, perDay])
          .whereRaw(`${usedThisMonth} <= ?`, [month, tokens, perMonth])
          .update({
            day,
            day_tokens: sql.raw(usedToday, [day, tokens]),
            month,
            month_tokens: sql.raw(usedThisMonth, [month, tokens]),
          });
        return changed > 0 ? { day, month } : undefined;
      },

      async refund(workspace_id, tokens, { day, month }) {
        const less = (column: string) =>
          sql.raw('CASE WHEN ?? > ? THEN ?? - ? ELSE 0 END', [column, tokens, column, tokens]);
        await sql('ai_spend')
          .where({ workspace_id, day })
          .update({ day_tokens: less('day_tokens') });
        await sql('ai_spend')
          .where({ workspace_id, month })
          .update({ month_tokens: less('month_tokens') });
      },

      async read(workspace_id) {
        const { day, month } = now();
        const row = (await sql('ai_spend').where({ workspace_id }).first()) as Row | undefined;
        return {
          day: { used: row?.day === day ? row.day_tokens : 0, limit: perDay },
          month: { used: row?.month === month ? row.month_tokens : 0, limit: perMonth },
        };
      },
    };
  },
});
