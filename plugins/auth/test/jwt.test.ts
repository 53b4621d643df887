import assert from 'node:assert/strict';
import { SignJWT, UnsecuredJWT, generateKeyPair, type JWTPayload } from 'jose';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { authHost, bearer, operator, type AuthHost } from './support.js';

const SECRET = 'Zk8vQ2mT9xLr4WcH7bNp1YdG6sJf3KaEuR5oXiVt';
const secret = Buffer.from(SECRET);
const soon = () => Math.floor(Date.now() / 1000) + 300;
const now = () => Math.floor(Date.now() / 1000);

const sign = (payload: JWTPayload, alg = 'HS256', key: Uint8Array = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key);

eachDatabase((fresh) => {
  describe('JWTs', () => {
    let host: AuthHost;
    let sub: string;
    before(async () => {
      host = await authHost(
        await fresh(),
        { jwt_issuer: 'https://issuer.example', jwt_audience: 'service' },
        { env: { SERVICE_JWT_SECRET: SECRET } },
      );
      sub = (await host.register('a@example.com')).user.id;
    });
    after(() => host.stop());

    const good = (): JWTPayload => ({
      sub,
      exp: soon(),
      iat: now(),
      iss: 'https://issuer.example',
      aud: 'service',
    });
    const without = (name: keyof JWTPayload): JWTPayload =>
      Object.fromEntries(Object.entries(good()).filter(([key]) => key !== name));

    it('are accepted in both headers, with the scopes of their claim', async () => {
      assert.equal(host.authenticator.verifiesJwt, true);
      const jwt = await sign(good());
      for (const headers of [{ 'x-service-jwt': jwt }, bearer(jwt)]) {
        const caller = await host.authenticate(headers);
        assert.deepEqual([caller?.kind, caller?.userId], ['jwt', sub]);
        assert.deepEqual(caller?.scopes, ['mcp:read', 'mcp:write']);
      }
      const narrow = await sign({ ...good(), scope: 'search:read  memory:read' });
      assert.deepEqual((await host.authenticate(bearer(narrow)))?.scopes, ['search:read', 'memory:read']);
      assert.deepEqual((await host.authenticate(bearer(await sign({ ...good(), scope: '' }))))?.scopes, []);
      assert.ok(await host.authenticate(bearer(await sign(without('iat')))), 'iat may be missing');
    });

    it('create keys that expire with them', async () => {
      const payload = { ...good(), scope: 'auth:write' };
      const key = await host.as<{ expires_at: string; scopes: string[] }>(
        bearer(await sign(payload)),
        'auth_create_api_key',
        { name: 'short' },
      );
      assert.equal(Date.parse(key.expires_at), Number(payload.exp) * 1000);
      assert.deepEqual(key.scopes, ['auth:write']);
    });

    it('are rejected when anything is wrong', async () => {
      const { privateKey } = await generateKeyPair('ES256');
      const other = Buffer.from(SECRET.split('').reverse().join(''));
      const whole = await sign(good());
      const [header = '', payload = '', signature = ''] = whole.split('.');
      const forged = Buffer.from(JSON.stringify({ ...good(), sub: 'x' })).toString('base64url');
      const wrong: Record<string, string> = {
        'alg none': new UnsecuredJWT(good()).encode(),
        'alg none with our signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`,
        HS512: await sign(good(), 'HS512'),
        HS384: await sign(good(), 'HS384'),
        ES256: await new SignJWT(good()).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
        'another secret': await sign(good(), 'HS256', other),
        'changed payload': `${header}.${forged}.${signature}`,
        'no signature': `${header}.${payload}.`,
        'wrong aud': await sign({ ...good(), aud: 'other' }),
        'no aud': await sign(without('aud')),
        'wrong iss': await sign({ ...good(), iss: 'https://issuer.example.evil' }),
        'no iss': await sign(without('iss')),
        'no exp': await sign(without('exp')),
        'no sub': await sign(without('sub')),
        'sub of nobody': await sign({ ...good(), sub: '01990000-0000-7000-8000-000000000000' }),
        'hostile sub': await sign({ ...good(), sub: "\0' OR 1=1" }),
        expired: await sign({ ...good(), exp: now() - 60 }),
        'not yet': await sign({ ...good(), nbf: now() + 600 }),
        'old iat': await sign({ ...good(), iat: now() - 2 * 86_400 }),
        'iat to come': await sign({ ...good(), iat: now() + 3600 }),
        'no iat and a far end': await sign({ ...without('iat'), exp: now() + 30 * 86_400 }),
        'scope of a wrong type': await sign({ ...good(), scope: { all: true } }),
        'exp in milliseconds': await sign({ ...good(), exp: soon() * 1000 }),
        'exp beyond dates': await sign({ ...good(), exp: 1e13 }),
        'exp of a wrong type': await sign({ ...good(), exp: 'later' as unknown as number }),
        'unknown crit': await new SignJWT(good())
          .setProtectedHeader({ alg: 'HS256', crit: ['x'], x: 1 })
          .sign(secret, { crit: { x: true } }),
        empty: '..',
        junk: 'a.b.c',
      };
      for (const [what, jwt] of Object.entries(wrong)) {
        const error = await rejects(host.authenticate({ 'x-service-jwt': jwt }), 'UNAUTHENTICATED').catch(
          (problem: unknown) => assert.fail(`${what}: ${String(problem)}`),
        );
        assert.ok(!/jose|JWS|signature verification/.test(error.message), what);
      }
      await host.use('auth_disable_account', { email: 'a@example.com' }, operator);
      await rejects(host.authenticate(bearer(whole)), 'UNAUTHENTICATED', /disabled/);
    });
  });
});

describe('the secret of JWTs', () => {
  const startWith = (jwt_secret: string) =>
    authHost(undefined, {}, { env: { SERVICE_JWT_SECRET: jwt_secret } });

  it('stops the start when it can be guessed, with setting, problem and remedy', async () => {
    for (const weak of [
      'x',
      'short but random 8Zk2',
      'a'.repeat(64),
      'abcd1234'.repeat(8),
      'Zk8vQ2mT9xLr4WcH'.repeat(2),
      'changeme-changeme-changeme-please!',
      'a-string-secret-at-least-256-bits-long',
      'your-256-bit-secret-your-256-bit-secret!',
      'my-super-secret-jwt-signing-key-for-production',
      'this is a very long secret password for dev',
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef',
      '01234567890123456789012345678901',
    ]) {
      await assert.rejects(startWith(weak), (error: Error) => {
        assert.equal(error.name, 'BootError', weak);
        assert.match(error.message, /^SERVICE_JWT_SECRET.*: the secret .*\n {2}Create one with/, weak);
        assert.ok(weak.length < 3 || !error.message.includes(weak));
        return true;
      });
    }
  });

  it('is accepted when random', async () => {
    for (const strong of [
      SECRET,
      'f3a91c0b77de4852a6e01d9b34c8f265',
      '3q2+7wQx9VbTz0mNcRk1uYpLsDhGfJeA4iOx5WtBv8E=',
    ]) {
      const host = await startWith(strong);
      assert.equal(host.authenticator.verifiesJwt, true);
      await host.stop();
    }
  });

  it('is required: without one JWTs are rejected', async () => {
    const host = await authHost(undefined);
    try {
      assert.equal(host.authenticator.verifiesJwt, false);
      await rejects(
        host.authenticate(bearer(await sign({ sub: 'x', exp: soon() }))),
        'UNAUTHENTICATED',
        /does not accept JWTs/,
      );
    } finally {
      await host.stop();
    }
  });
});
