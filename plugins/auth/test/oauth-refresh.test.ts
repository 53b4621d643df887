import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { send, type Browser, type Answer } from './oauth-browser.js';
import { Client, form, oauthHost, signedIn, type OAuthHost, type Tokens } from './oauth-support.js';

const count = (answers: readonly Answer[], status: number) =>
  answers.filter((one) => one.status === status).length;

eachDatabase((fresh) => {
  describe('single-use codes and refresh tokens', () => {
    let host: OAuthHost;
    let replica: OAuthHost;
    let browser: Browser;
    let client: Client;
    /** The same client, connected to the other process. */
    let elsewhere: Client;
    before(async () => {
      const database = await fresh();
      host = await oauthHost({ database });
      const origin = host.url ?? '';
      replica = await oauthHost({ database, server: { base_url: origin } });
      browser = await signedIn(host, 'ann@example.com');
      client = await new Client(host).register();
      elsewhere = new Client(replica, client.at);
      elsewhere.id = client.id;
    });
    after(async () => {
      await replica.stop();
      await host.stop();
    });

    const records = async (model: string, grantId: string) => {
      const rows = (await host.database
        .sql('oauth_records')
        .where({ model, grant_id: grantId })
        .select()) as Array<{
        consumed_at: number | null;
      }>;
      return { all: rows.length, fresh: rows.filter(({ consumed_at }) => consumed_at === null).length };
    };
    const either = (i: number) => (i % 2 === 0 ? client : elsewhere);
    const ten = <T>(work: (i: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 10 }, (_, i) => work(i)));
    /** Ages every consumed token. */
    const age = (seconds: number) =>
      host.database
        .sql('oauth_records')
        .whereNotNull('consumed_at')
        .decrement('consumed_at', seconds * 1000);

    it('accepts one of ten redemptions of a code, by two processes', async () => {
      const got = await client.code(browser);
      const answers = await ten((i) => either(i).redeem(got));
      assert.equal(count(answers, 200), 1, answers.map(({ text }) => text).join());
      assert.equal(
        answers.filter((one) => one.status === 400 && one.json()['error'] === 'invalid_grant').length,
        9,
      );
      const tokens = answers.find(({ status }) => status === 200)?.json<Tokens>();
      assert.ok(await host.tokens.find(tokens?.access_token ?? ''), 'what the one got is good');
    });

    it('revokes the tokens of a code that is reused later', async () => {
      const got = await client.code(browser);
      const { access_token } = (await client.redeem(got)).json<Tokens>();
      await age(11);
      assert.equal((await client.redeem(got)).status, 400);
      assert.equal(await host.tokens.find(access_token), undefined);
    });

    it('returns one new pair to ten refreshes by two processes', async () => {
      const first = await client.tokens(browser);
      const grantId = (await host.tokens.find(first.access_token))?.credentialId ?? '';
      const answers = await ten((i) => either(i).refresh(first.refresh_token));
      assert.equal(count(answers, 200), 10, answers.map(({ text }) => text).join());
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'the very same reply');
      assert.deepEqual(await records('RefreshToken', grantId), { all: 2, fresh: 1 });
      assert.equal((await records('AccessToken', grantId)).all, 2);
      const pair = answers[0]?.json<Tokens>();
      assert.ok(await replica.tokens.find(pair?.access_token ?? ''));
      assert.equal((await client.refresh(pair?.refresh_token ?? '')).status, 200, 'and it goes on');
    });

    it('repeats the reply within the grace time, only for the same client and body', async () => {
      const first = await client.tokens(browser);
      const second = await client.refresh(first.refresh_token);
      assert.equal(second.status, 200);
      const retried = await elsewhere.refresh(first.refresh_token);
      assert.deepEqual(retried.json(), second.json());
      assert.equal(retried.headers['cache-control'], 'no-store');
      const narrower = await client.refresh(first.refresh_token, { scope: 'mcp:read' });
      assert.equal(narrower.json()['error'], 'invalid_grant');
      const other = await new Client(host).register();
      assert.equal((await other.refresh(first.refresh_token)).json()['error'], 'invalid_grant');
      assert.equal(
        (await client.refresh(second.json<Tokens>().refresh_token)).status,
        200,
        'nothing was revoked',
      );
    });

    it('refuses a refresh for another resource at once, and the token stays good', async () => {
      const first = await client.tokens(browser);
      const foreign = await client.refresh(first.refresh_token, { resource: 'https://other.example/mcp' });
      assert.equal(foreign.status, 400);
      assert.equal(foreign.json()['error'], 'invalid_target', foreign.text);
      assert.equal((await client.refresh(first.refresh_token)).status, 200);
    });

    it('revokes the family when a consumed token is reused after the grace time', async () => {
      const first = await client.tokens(browser);
      const second = (await client.refresh(first.refresh_token)).json<Tokens>();
      await age(61);
      const replay = await client.refresh(first.refresh_token);
      assert.equal(replay.status, 400);
      assert.equal(replay.json()['error'], 'invalid_grant');
      assert.equal(await host.tokens.find(second.access_token), undefined);
      assert.equal((await client.refresh(second.refresh_token)).json()['error'], 'invalid_grant');
    });

    it('revokes the family by a token that was rotated a moment ago', async () => {
      const first = await client.tokens(browser);
      const second = (await client.refresh(first.refresh_token)).json<Tokens>();
      const revoke = (client_id: string) =>
        send(host.port, `${host.url}/api/v1/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ client_id, token: first.refresh_token }).toString(),
          headers: form,
        });
      const other = await new Client(host).register();
      await revoke(other.id);
      assert.ok(await host.tokens.find(second.access_token), 'another client cannot');
      const answer = await revoke(client.id);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(await host.tokens.find(second.access_token), undefined);
      assert.equal((await client.refresh(second.refresh_token)).json()['error'], 'invalid_grant');
    });

    it('sends the new tokens also where the reply cannot be stored', async () => {
      const first = await client.tokens(browser);
      const rename = (names: string) =>
        host.database.sql.raw(`ALTER TABLE oauth_records RENAME COLUMN ${names}`);
      await rename('reply TO unknown');
      const answer = await client.refresh(first.refresh_token);
      await rename('unknown TO reply');
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await client.refresh(answer.json<Tokens>().refresh_token)).status, 200);
    });

    it('encrypts the stored reply: the database alone does not reveal it', async () => {
      const first = await client.tokens(browser);
      const second = (await client.refresh(first.refresh_token)).json<Tokens>();
      const dump = JSON.stringify(await host.database.sql('oauth_records').select());
      for (const secret of [first.refresh_token, second.refresh_token, second.access_token])
        assert.ok(!dump.includes(secret));
      const [row] = (await host.database
        .sql('oauth_records')
        .whereNotNull('reply')
        .select('reply')) as Array<{ reply: string }>;
      assert.doesNotMatch(Buffer.from(row?.reply ?? '', 'base64url').toString('latin1'), /access_token/);
    });
  });

  describe('the sweep of the authorization server', () => {
    it('deletes expired records, unused clients and empty connections, and nothing else', async () => {
      const database = await fresh();
      const host = await oauthHost({ database });
      const browser = await signedIn(host, 'ann@example.com');
      const register = () => new Client(host).register();
      const [kept, recent, unused, old] = [
        await register(),
        await register(),
        await register(),
        await register(),
      ];
      const tokens = await kept.tokens(browser);
      const { sql } = host.database;
      const day = 24 * 60 * 60_000;
      const clients = (client: Client) => sql('oauth_clients').where({ id: client.id });
      await clients(unused).decrement('used_at', day + 60_000); // never got a token
      await clients(old).update({ used_at: Date.now() - 91 * day });
      await clients(recent).update({ used_at: Date.now() - 89 * day });
      await clients(kept).update({ used_at: 1 }); // not recorded; it has tokens
      await sql('oauth_records').where({ model: 'AuthorizationCode' }).update({ expires_at: 1 });
      const grant = (await sql('oauth_grants').first()) as { id: string };
      await sql('oauth_grants').insert({ ...grant, id: 'empty', created_at: Date.now() - 2 * day });
      await host.stop();
      const sweeping = await oauthHost({ database, workers: true, server: { base_url: host.url } });
      try {
        for (let i = 0; i < 100 && (await sweeping.database.sql('oauth_clients').select()).length > 2; i++)
          await new Promise((resolve) => setTimeout(resolve, 50));
        const left = (table: string) => sweeping.database.sql(table).select();
        assert.deepEqual(
          new Set(((await left('oauth_clients')) as Array<{ id: string }>).map(({ id }) => id)),
          new Set([kept.id, recent.id]),
        );
        assert.deepEqual(
          ((await left('oauth_grants')) as Array<{ id: string }>).map(({ id }) => id),
          [grant.id],
        );
        assert.ok(
          !((await left('oauth_records')) as Array<{ model: string }>).some(
            ({ model }) => model === 'AuthorizationCode',
          ),
        );
        const again = new Client(sweeping, kept.at);
        again.id = kept.id;
        assert.equal((await again.refresh(tokens.refresh_token)).status, 200);
        await new Promise((resolve) => setTimeout(resolve, 50));
        const client = (await sweeping.database
          .sql('oauth_clients')
          .where({ id: kept.id })
          .first('used_at')) as {
          used_at: number | string;
        };
        assert.ok(Number(client.used_at) > Date.now() - day, 'a refresh counts as use');
      } finally {
        await sweeping.stop();
      }
    });
  });
});
