import { Clock, Database, Deployment, FirstRun, LOCAL_OWNER, provide } from '@service-mcp/core';
import { findUser, hasAccounts, insertUser, lockFirstAccount } from './account-store.js';
import { insertApiKey } from './api-key-store.js';
import { createReset, passwordLink } from './reset-tokens.js';
import { SetupToken } from './setup-token.js';

const EMAIL = 'owner@localhost';

export const firstRun = provide(FirstRun, {
  uses: { database: Database, clock: Clock, deployment: Deployment, setupToken: SetupToken },
  create: ({ database, clock, deployment, setupToken }) => ({
    setup: async () => ((await hasAccounts(database.sql)) ? undefined : { token: setupToken.create() }),
    unopened: async () => {
      const owner = await findUser(database.sql, { id: LOCAL_OWNER.userId });
      return owner?.password_hash === null ? owner.email : undefined;
    },
    prepare: () =>
      database.transaction(async (sql) => {
        await lockFirstAccount(database, sql);
        if (await hasAccounts(sql)) return undefined;
        const created_at = clock.now().toISOString();
        const id = LOCAL_OWNER.userId;
        const owner = { id, email: EMAIL, name: 'Local owner', administrator: true };
        await insertUser(sql, { ...owner, password_hash: null, created_at });
        const { secret_key: key } = await insertApiKey(sql, {
          user_id: id,
          parent_id: null,
          name: 'First run',
          scopes: ['*'],
          workspace_id: null,
          created_at,
          expires_at: null,
        });
        const link = passwordLink(deployment, await createReset(sql, clock, id));
        return { email: EMAIL, key, link };
      }),
  }),
});
