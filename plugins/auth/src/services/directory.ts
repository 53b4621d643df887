import { Database, Directory, normalEmail, provide } from '@service-mcp/core';
import { findUser, type UserRow } from './account-store.js';

export const directory = provide(Directory, {
  uses: { database: Database },
  create: ({ database }) => ({
    async byIds(ids) {
      const rows = await database
        .sql<UserRow>('users')
        .whereIn('id', ids)
        .select('id', 'email', 'name', 'disabled_at');
      return new Map(
        rows.map(({ id, email, name, disabled_at }) => [id, { email, name, disabled: disabled_at !== null }]),
      );
    },
    async byEmail(address) {
      const row = await findUser(database.sql, { email: normalEmail(address) });
      return row && { id: row.id, email: row.email, name: row.name };
    },
  }),
});
