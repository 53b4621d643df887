import type { Migration } from '@service-mcp/core';

/** Memberships that wait for the consent of their person. Existing memberships stay as they are: accepted. */
export const createPendingMemberships: Migration = {
  id: '005_create_pending_memberships',
  async up(sql) {
    await sql.schema.createTable('pending_memberships', (table) => {
      table.text('id').primary(); // also of the membership, once it is accepted
      table.text('workspace_id').notNullable();
      table.text('email').notNullable().index(); // in the form of normalEmail
      table.text('role').notNullable();
      table.text('invited_by').notNullable(); // a user id
      table.text('created_at').notNullable();
      table.unique(['workspace_id', 'email']);
    });
  },
};
