import type { Migration } from '@service-mcp/core';

/** The end of a membership that waits beside an invitation with a token; null: it waits until it is decided. */
export const expirePendingMemberships: Migration = {
  id: '011_expire_pending_memberships',
  async up(sql) {
    await sql.schema.alterTable('pending_memberships', (table) => void table.text('expires_at').index());
  },
};
