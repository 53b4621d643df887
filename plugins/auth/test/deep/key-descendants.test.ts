import { eachDatabase, rejects } from '@service-mcp/core/testing';
import assert from 'node:assert/strict';
import { authHost, bearer, withKey, type AuthHost, type Login } from '../support.js';

eachDatabase((fresh) => {
  describe('an API key', () => {
    let host: AuthHost;
    let login: Login;
    before(async () => {
      host = await authHost(await fresh());
      login = await host.register('a@example.com');
    });
    after(() => host.stop());

    it('ends with the key that created it, with many and deep descendants', async () => {
      const { sql } = host.database;
      // More than the bindings of a statement: else a stolen key could create more children than revocation handles.
      for (const [parentOf, count] of [
        ['first.id', 70_000],
        [`CASE i WHEN 1 THEN first.id ELSE 'child-' || (i - 1) END`, 500],
      ] as const) {
        const parent = await host.makeKey(login);
        await sql.raw(
          `INSERT INTO api_keys (id, user_id, parent_id, name, key_id, digest, scopes, created_at)
           WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
           SELECT 'child-' || i, first.user_id, ${parentOf}, 'child', 'child-' || i, '', '*', first.created_at
           FROM n JOIN api_keys AS first ON first.id = ?`,
          [parent.id],
        );
        await host.as(bearer(login), 'auth_revoke_api_key', { key_id: parent.id });
        await rejects(host.authenticate(withKey(parent)), 'UNAUTHENTICATED', /revoked/);
        const children = sql('api_keys').whereLike('id', 'child-%');
        assert.equal(await children.clone().whereNull('revoked_at').first('id'), undefined);
        assert.equal(await children.delete(), count);
      }
    });
  });
});
