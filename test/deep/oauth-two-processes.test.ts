import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { createLocalJWKSet, jwtVerify, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import type { Database } from '@service-mcp/core';
import { PASSWORD, type Person } from '../oauth/support/oauth-deployment.js';
import { Program, type Send, type Tokens } from '../oauth/support/program.js';
import { ORIGIN, startReplicas, type Replicas } from '../oauth/support/replicas.js';

const AT_ONCE = 10;

interface Envelope<T> {
  readonly data: T;
}

eachDatabase((fresh, engine) => {
  describe('two processes over one database', () => {
    let replicas: Replicas;
    let program: Program;
    let database: Database & { close(): Promise<void> };
    let people = 0;
    before(async () => {
      const made = await fresh();
      replicas = await startReplicas(made);
      program = await new Program(ORIGIN).register(replicas.through[0]);
      database = await made.open();
    });
    after(async () => {
      await database?.close();
      await replicas?.stop();
    });

    const person = () => replicas.person(`person-${++people}`);
    /** A call of the REST interface, as the request that is sent. */
    const rest =
      (
        method: string,
        path: string,
        credential: string,
        body?: object,
        headers: Record<string, string> = {},
      ): Send =>
      (through) =>
        through(`${ORIGIN}${path}`, {
          method,
          headers: {
            ...(credential !== '' && { authorization: `Bearer ${credential}` }),
            'content-type': 'application/json',
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
    async function data<T>(send: Send, process: 0 | 1 = 0): Promise<T> {
      const response = await send(replicas.through[process]);
      const text = await response.text();
      assert.ok(response.ok, text);
      return (JSON.parse(text) as Envelope<T>).data;
    }
    const login = ({ email, password }: Person) =>
      data<Tokens>(rest('POST', '/v1/auth/login', '', { email, password }));
    async function connected(who: Person): Promise<Tokens> {
      const send = await program.code(replicas.browser(0), who);
      return (await (await send(replicas.through[0])).json()) as Tokens;
    }
    /** Sends one request ten times at once, over both processes. */
    async function atOnce(send: Send) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, i) => {
          const response = await send(replicas.through[i % 2 === 0 ? 0 : 1]);
          return { status: response.status, body: await response.text() };
        }),
      );
      const won = answers.filter(({ status }) => status < 300);
      return { won, lost: answers.filter(({ status }) => status >= 300) };
    }
    const statusOf = async (send: Send, process: 0 | 1) => (await send(replicas.through[process])).status;

    describe('one wins', () => {
      it('of ten redemptions of one authorization code, and its tokens stay valid', async () => {
        const { won, lost } = await atOnce(await program.code(replicas.browser(1), await person()));
        assert.equal(won.length, 1);
        assert.ok(lost.every(({ status, body }) => status === 400 && body.includes('invalid_grant')));
        const tokens = JSON.parse(won[0]?.body ?? '') as Tokens;
        assert.equal(await statusOf(program.use(tokens), 1), 200);
      });

      it('of ten uses of one OAuth refresh token, and all get the same tokens', async () => {
        const { won, lost } = await atOnce(program.refresh(await connected(await person())));
        assert.deepEqual(lost, []);
        assert.equal(new Set(won.map(({ body }) => body)).size, 1, 'identical replies');
        const tokens = JSON.parse(won[0]?.body ?? '') as Tokens;
        assert.equal(await statusOf(program.use(tokens), 0), 200);
        assert.equal(await statusOf(program.refresh(tokens), 1), 200);
      });

      it('of ten uses of one refresh token of a login, and the replays end the login', async () => {
        const { refresh_token } = await login(await person());
        const { won, lost } = await atOnce(rest('POST', '/v1/auth/refresh', '', { refresh_token }));
        assert.equal(won.length, 1);
        assert.ok(lost.every(({ status }) => status === 401));
        const { data: renewed } = JSON.parse(won[0]?.body ?? '') as Envelope<Tokens>;
        assert.equal(await statusOf(rest('GET', '/v1/auth/me', renewed.access_token), 1), 401);
      });

      it('of ten creations with one Idempotency-Key, and all get its workspace', async () => {
        const { access_token } = await login(await person());
        const { won, lost } = await atOnce(
          rest('POST', '/v1/workspaces', access_token, { name: 'Once' }, { 'idempotency-key': 'one-of-ten' }),
        );
        assert.deepEqual(lost, []);
        const ids = won.map(({ body }) => (JSON.parse(body) as Envelope<{ id: string }>).data.id);
        assert.equal(new Set(ids).size, 1);
        const { items } = await data<{ items: Array<{ name: string }> }>(
          rest('GET', '/v1/workspaces', access_token),
          1,
        );
        assert.equal(items.filter(({ name }) => name === 'Once').length, 1);
      });
    });

    describe('access is lost on the next request of the other process', () => {
      /** Good on both processes, so that whatever is remembered is, until `end`; refused by the other right after. */
      async function lost(send: Send, end: () => Promise<unknown>, refusal = 401): Promise<void> {
        for (const process of [0, 1] as const) assert.equal(await statusOf(send, process), 200);
        await end();
        assert.equal(await statusOf(send, 1), refusal);
        assert.equal(await statusOf(send, 0), refusal);
      }

      it('with a revoked API key', async () => {
        const { access_token } = await login(await person());
        const key = await data<{ id: string; secret_key: string }>(
          rest('POST', '/v1/auth/api-keys', access_token, { name: 'Short-lived' }),
        );
        await lost(rest('GET', '/v1/auth/me', key.secret_key), () =>
          data(rest('DELETE', `/v1/auth/api-keys/${key.id}`, access_token)),
        );
      });

      it('as a removed member', async () => {
        const [owner, member] = [await person(), await person()];
        const [ofOwner, ofMember] = [await login(owner), await login(member)];
        const { id } = await data<{ id: string }>(
          rest('POST', '/v1/workspaces', ofOwner.access_token, { name: 'Shared' }),
        );
        const members = `/api/v1/workspaces/${id}/members`;
        const asked = { email: member.email, role: 'member' };
        const invited = await data<{ id: string }>(rest('POST', members, ofOwner.access_token, asked));
        await data(rest('POST', `/v1/auth/invitations/${invited.id}/accept`, ofMember.access_token));
        await lost(
          rest('GET', `/v1/workspaces/${id}`, ofMember.access_token),
          () => data(rest('DELETE', `${members}/${member.id}`, ofOwner.access_token)),
          404,
        );
      });

      it('with a disabled account: a login, and an application', async () => {
        const who = await person();
        const [{ access_token }, tokens] = [await login(who), await connected(who)];
        const uses = program.use(tokens);
        assert.equal(await statusOf(uses, 1), 200);
        await lost(rest('GET', '/v1/auth/me', access_token), () =>
          replicas.command('accounts', 'disable', who.email),
        );
        assert.equal(await statusOf(uses, 1), 401);
      });

      it('after a change of password: other logins, and applications', async () => {
        const who = await person();
        const [changing, other, tokens] = [await login(who), await login(who), await connected(who)];
        const uses = program.use(tokens);
        assert.equal(await statusOf(uses, 1), 200);
        await lost(rest('GET', '/v1/auth/me', other.access_token), () =>
          data(
            rest('POST', '/v1/auth/password', changing.access_token, {
              current_password: PASSWORD,
              new_password: `${PASSWORD} changed`,
            }),
          ),
        );
        assert.equal(await statusOf(uses, 1), 401);
        assert.equal(await statusOf(rest('GET', '/v1/auth/me', changing.access_token), 1), 200);
      });

      it('with a revoked grant', async () => {
        const tokens = await connected(await person());
        await lost(program.use(tokens), async () => {
          assert.equal(await statusOf(program.revoke(tokens), 0), 200);
        });
      });

      it('with an application that was disconnected on the account page', async () => {
        const who = await person();
        const tokens = await connected(who);
        await lost(program.use(tokens), async () => {
          const browser = replicas.browser(0);
          const login = await browser.open(`${ORIGIN}/oauth/account`);
          const fill = { 'E-mail address': who.email, Password: who.password };
          const account = await browser.press(login, 'Sign in', fill);
          assert.match(account.text, /A program/);
          const after = await browser.press(account, 'Disconnect');
          assert.doesNotMatch(after.text, /A program/);
        });
      });
    });

    it('keys are rotated while both serve: tokens and logins go on, ID tokens verify throughout', async () => {
      const who = await person();
      const browser = replicas.browser(0);
      const identified = async (process: 0 | 1) => {
        const send = await program.code(browser, who, 'openid mcp:read');
        return (await (await send(replicas.through[process])).json()) as Tokens;
      };
      const published = async (process: 0 | 1) =>
        (await (await replicas.through[process](`${ORIGIN}/api/v1/oauth/jwks`)).json()) as JSONWebKeySet;
      /** The id of the key that signed it, which must be one of those that a process publishes. */
      const verified = async ({ id_token = '' }: Tokens, keys: JSONWebKeySet) => {
        const { payload } = await jwtVerify(id_token, createLocalJWKSet(keys), { issuer: ORIGIN });
        assert.equal(payload.sub, who.id);
        return decodeProtectedHeader(id_token).kid;
      };
      const before = await identified(0);
      const old = await verified(before, await published(1));

      await replicas.command('keys', 'rotate');
      for (const process of [0, 1] as const) {
        const keys = await published(process);
        assert.equal(keys.keys.length, 2, 'the new key is published before it signs');
        assert.ok(keys.keys.every((key) => key['d'] === undefined));
        assert.equal(await verified(await identified(process), keys), old);
        assert.equal(await verified(before, keys), old);
        assert.equal(await statusOf(program.use(before), process), 200);
      }

      const half = await program.code(browser, who, 'openid mcp:read'); // begun before it signs, ended after
      const past = Date.now() - 1000;
      await database.sql('oauth_keys').where({ generation: 2 }).update({ signs_from: past }); // two minutes later
      for (const process of [0, 1] as const) {
        const keys = await published(process);
        const signed = await verified(await identified(process), keys);
        assert.notEqual(signed, old);
        assert.equal(await verified(before, keys), old, 'what the old key signed still verifies');
        assert.equal(await statusOf(program.use(before), process), 200);
      }
      assert.equal(await statusOf(half, 1), 200);
      const renewed = await program.refresh(before)(replicas.through[1]);
      assert.equal(renewed.status, 200, `a refresh token outlives the keys, on ${engine}`);
    });
  });
});
