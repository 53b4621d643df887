import type { Migration } from '@service-mcp/core';

/** Ids and e-mail addresses that an audited call names. */
export const addAuditTarget: Migration = {
  id: '004_audit_target',
  async up(sql) {
    await sql.schema.alterTable('audit_log', (table) => {
      table.text('target');
    });
  },
};
