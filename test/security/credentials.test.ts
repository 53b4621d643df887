import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { bearer, startHosted, withKey, type Account, type Hosted } from './start-hosted.js';
import { ask, post, speak } from './raw-http.js';

const SECRET = randomBytes(48).toString('base64');

describe('threat: credentials that are forged, smuggled or stolen', () => {
  let service: Hosted;
  let ann: Account;
  let bob: Account;
  let workspaceId: string;
  before(async () => {
    service = await startHosted({ auth: { jwt_secret: SECRET } });
    await service.account('root');
    [ann, bob] = [await service.account('ann'), await service.account('bob')];
    const made = await post(service.url, '/v1/workspaces', { name: 'w' }, bearer(ann.key));
    workspaceId = made.json<{ data: { id: string } }>().data.id;
  });
  after(() => service.stop());

  const sessionCookie = () => `service_session_${new URL(service.url).port}`;
  const me = (headers: Record<string, string | string[]>) => ask(service.url, '/v1/auth/me', { headers });

  describe('header smuggling', () => {
    it('two headers of one name, or two values in one, are refused', async () => {
      const { host } = new URL(service.url);
      const head = (lines: readonly string[]) =>
        `GET /v1/auth/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`;
      for (const lines of [
        [`Authorization: Bearer ${ann.key}`, `Authorization: Bearer ${bob.key}`],
        [`X-Service-API-Key: ${ann.key}`, `X-Service-API-Key: ${bob.key}`],
        [`X-API-Key: ${ann.key}`, `x-api-key: ${bob.key}`],
        [`X-Service-API-Key: ${ann.key}, ${bob.key}`],
        [`Authorization: Bearer ${ann.key}, Bearer ${bob.key}`],
        [`Authorization: Bearer ${ann.key}`, `Cookie: ${sessionCookie()}=x`, `X-API-Key: ${bob.key}`],
      ]) {
        const heard = await speak(service.url, head(lines));
        assert.match(heard, /^HTTP\/1\.1 40[01] /, lines.join(' | '));
      }
    });

    it('NUL, bare line ends, folded lines and control characters end in 400', async () => {
      const { host } = new URL(service.url);
      for (const line of [
        `X-API-Key: ${ann.key}\0`,
        `X-API-Key: ${ann.key}\rX-API-Key: ${bob.key}`,
        `X-API-Key:\r\n ${ann.key}`,
        `X-API-Key : ${ann.key}`,
        `X-API-Key: ${ann.key}\x7f`,
      ]) {
        const heard = await speak(
          service.url,
          `GET /v1/auth/me HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${line}\r\n\r\n`,
        );
        assert.match(heard, /^HTTP\/1\.1 (?:400|401) /, JSON.stringify(line));
      }
    });

    it('huge headers are refused, and a second request in the body is ignored', async () => {
      const { host } = new URL(service.url);
      const start = `GET /v1/auth/me HTTP/1.1\r\nHost: ${host}\r\n`;
      assert.match(
        await speak(service.url, `${start}X-API-Key: ${'a'.repeat(100_000)}\r\n\r\n`),
        /^HTTP\/1\.1 413 /,
      );
      assert.equal((await me({ 'x-api-key': 'a'.repeat(9000) })).status, 401);
      const inner = `GET /v1/auth/me HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${ann.key}\r\n\r\n`;
      const smuggled = `POST /v1/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n{}${inner}`;
      const heard = await speak(service.url, smuggled, 1500);
      assert.ok(!heard.includes(ann.id), heard);
    });

    it('a credential in the wrong place is ignored', async () => {
      for (const path of [
        `/v1/auth/me?api_key=${ann.key}`,
        `/v1/auth/me?access_token=${ann.access_token}`,
        `/v1/workspaces?authorization=Bearer%20${ann.key}`,
      ])
        assert.ok([400, 401].includes((await ask(service.url, path)).status), path);
      for (const headers of [
        { authorization: ann.key },
        { authorization: `Basic ${Buffer.from(`x:${ann.key}`).toString('base64')}` },
        { authorization: `Bearer Bearer ${ann.key}` },
        { 'proxy-authorization': `Bearer ${ann.key}` },
        { cookie: `${sessionCookie()}=${ann.access_token}` },
        { cookie: `${sessionCookie()}=${ann.key}` },
        { 'x-service-jwt': ann.key },
        { 'x-service-api-key': ann.access_token },
        { 'x-service-api-key': ann.refresh_token },
      ])
        assert.equal((await me(headers)).status, 401, JSON.stringify(headers));
    });
  });

  describe('JWT attacks', () => {
    const soon = () => Math.floor(Date.now() / 1000) + 300;
    const good = () => new SignJWT({ sub: ann.id, exp: soon() }).setProtectedHeader({ alg: 'HS256' });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (header: object, claims: object, secret: string | Buffer = SECRET) => {
      const text = `${part(header)}.${part(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };

    it('another algorithm, key, place of a key or part is 401', async () => {
      const claims = { sub: ann.id, exp: soon() };
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const { keys } = (await (await fetch(`${service.url}/api/v1/oauth/jwks`)).json()) as { keys: object[] };
      const published = keys[0] as { kid?: string };
      const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
      const whole = await good().sign(Buffer.from(SECRET));
      const [head = '', body = '', signature = ''] = whole.split('.');
      const forged: Record<string, string> = {
        none: new UnsecuredJWT(claims).encode(),
        'none, with a signature': signed({ alg: 'none' }, claims),
        'None in another case': `${part({ alg: 'nOnE' })}.${part(claims)}.`,
        'an asymmetric algorithm': await new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256' })
          .sign(privateKey),
        'a public key as the secret': signed({ alg: 'HS256' }, claims, pem),
        'the published key as the secret': signed(
          { alg: 'HS256', kid: published.kid },
          claims,
          JSON.stringify(published),
        ),
        'an empty secret': signed({ alg: 'HS256' }, claims, Buffer.alloc(1)),
        'a key in the header': signed(
          { alg: 'HS256', jwk: { kty: 'oct', k: Buffer.from('attacker').toString('base64url') } },
          claims,
          'attacker',
        ),
        'a key elsewhere': signed(
          { alg: 'HS256', jku: 'http://127.0.0.1:1/jwks', x5u: 'http://127.0.0.1:1/' },
          claims,
          'attacker',
        ),
        'a path as kid': signed({ alg: 'HS256', kid: '../../../../dev/null' }, claims, ''.padEnd(1)),
        'an unknown critical extension': signed({ alg: 'HS256', crit: ['x'], x: 1 }, claims),
        'a detached payload': signed({ alg: 'HS256', b64: false, crit: ['b64'] }, claims),
        'a changed claim': `${head}.${part({ sub: bob.id, exp: soon() })}.${signature}`,
        'a cut signature': `${head}.${body}.${signature.slice(0, -4)}`,
        'no signature': `${head}.${body}.`,
        'a sub that is a list': signed({ alg: 'HS256' }, { sub: [ann.id], exp: soon() }),
        'a sub that is SQL': signed({ alg: 'HS256' }, { sub: `${ann.id}' OR '1'='1`, exp: soon() }),
        'an exp that is text': signed({ alg: 'HS256' }, { sub: ann.id, exp: '9999999999' }),
        'an exp that is too far': signed({ alg: 'HS256' }, { sub: ann.id, exp: soon() + 10_000_000 }),
        'an nbf to come': signed({ alg: 'HS256' }, { ...claims, nbf: soon() }),
      };
      for (const [what, jwt] of Object.entries(forged))
        for (const headers of [{ 'x-service-jwt': jwt }, bearer(jwt)])
          assert.equal((await me(headers)).status, 401, what);
      assert.equal((await me(bearer(whole))).status, 200, 'the one that all are made after');
    });

    it('scopes of a claim narrow, and make nobody an administrator', async () => {
      const jwt = signed(
        { alg: 'HS256' },
        { sub: ann.id, exp: soon(), scope: 'workspaces:read', administrator: true },
      );
      assert.equal((await ask(service.url, '/v1/workspaces', { headers: bearer(jwt) })).status, 200);
      const written = await post(service.url, '/v1/workspaces', { name: 'x' }, bearer(jwt));
      assert.equal(written.status, 403);
      const everything = signed(
        { alg: 'HS256' },
        { sub: ann.id, exp: soon(), scope: '*', administrator: true },
      );
      const audit = await ask(service.url, '/v1/auth/audit', { headers: bearer(everything) });
      assert.ok([403, 404].includes(audit.status), audit.text);
    });
  });

  describe('stolen confined keys and key escalation', () => {
    const make = async (by: string, wanted: object) =>
      post(service.url, '/v1/auth/api-keys', wanted, withKey(by));
    const secretOf = async (by: string, wanted: object) => {
      const made = await make(by, wanted);
      assert.equal(made.status, 201, made.text);
      return made.json<{ data: { secret_key: string } }>().data.secret_key;
    };

    it('a key makes no wider key: of scopes, workspace or time, in any spelling', async () => {
      const end = new Date(Date.now() + 3_600_000).toISOString();
      const narrow = await secretOf(ann.key, {
        name: 'narrow',
        scopes: ['auth:write', 'workspaces:read'],
        workspace_id: workspaceId,
        expires_at: end,
      });
      for (const wanted of [
        { scopes: ['*'] },
        { scopes: ['mcp:read'] },
        { scopes: ['workspaces:read', 'workspaces:write'] },
        { scopes: ['admin:write'] },
        { scopes: ['workspaces:read '] },
        { scopes: ['WORKSPACES:READ'] },
        { scopes: ['auth:write,*'] },
        { scopes: ['auth:write *'] },
        { scopes: [] },
        { expires_at: '9999-12-31T23:59:59.999Z' },
        { expires_at: '2000-01-01T00:00:00.000Z' },
        { expires_at: `${end.slice(0, -1)}+00:00`.replace(/T\d\d/, 'T23').replace(/^\d{4}/, '2099') },
      ]) {
        const answer = await make(narrow, { name: 'wider', ...wanted });
        assert.equal(answer.status, 400, `${JSON.stringify(wanted)} ${answer.text}`);
      }
      const grandchild = await secretOf(narrow, { name: 'child' });
      const listed = await ask(service.url, '/v1/auth/api-keys?per_page=1', { headers: bearer(ann.key) });
      const [child] = listed.json<{ data: { items: Record<string, unknown>[] } }>().data.items;
      assert.equal(child?.['workspace_id'], workspaceId, 'confined like its maker');
      assert.ok(String(child?.['expires_at']) <= end, 'and ends with it');
      assert.equal((await make(grandchild, { name: 'x', scopes: ['*'] })).status, 400);
    });

    it('a stolen confined key sees, changes and makes nothing beyond its workspace', async () => {
      const confined = await secretOf(ann.key, { name: 'c', scopes: ['*'], workspace_id: workspaceId });
      const other = (
        await post(service.url, '/v1/workspaces', { name: 'secret plans' }, bearer(ann.key))
      ).json<{
        data: { id: string };
      }>().data.id;
      const as = withKey(confined);
      for (const [method, path, body] of [
        ['GET', `/v1/workspaces/${other}`, undefined],
        ['GET', `/v1/workspaces/${other}/overview`, undefined],
        ['GET', `/v1/workspaces/${other}/members`, undefined],
        ['POST', `/v1/workspaces/${other}/members`, { email: bob.email, role: 'owner' }],
        ['DELETE', `/v1/workspaces/${other}`, undefined],
        ['POST', '/v1/search/keyword', { query: 'x', workspace_id: other }],
        ['POST', '/v1/auth/api-keys', { name: 'x', workspace_id: other }],
        ['POST', '/v1/auth/invitations', { email: 'y@example.com', workspace_id: other }],
      ] as const) {
        const answer = await ask(service.url, path, {
          method,
          headers: { 'content-type': 'application/json', ...as },
          ...(body && { body: JSON.stringify(body) }),
        });
        assert.ok([403, 404].includes(answer.status), `${method} ${path} ${answer.text}`);
        assert.ok(!answer.text.includes('secret plans'));
      }
      const made = await post(service.url, '/v1/workspaces', { name: 'x' }, as);
      assert.equal(made.status, 403, made.text);
      const keys = await ask(service.url, '/v1/auth/api-keys', { headers: as });
      for (const { workspace_id } of keys.json<{ data: { items: { workspace_id: string }[] } }>().data.items)
        assert.equal(workspace_id, workspaceId);
      const revoked = await ask(service.url, `/v1/auth/api-keys/${ann.keyId}`, {
        method: 'DELETE',
        headers: as,
      });
      assert.equal(revoked.status, 404, 'it cannot revoke the key that is wider');
      const me_ = await me(as);
      assert.ok(!me_.text.includes(other), 'nor see where else its person is');
    });

    it('a key of somebody else is neither seen nor revoked', async () => {
      for (const method of ['GET', 'DELETE'] as const) {
        const path = method === 'GET' ? '/v1/auth/api-keys' : `/v1/auth/api-keys/${ann.keyId}`;
        const answer = await ask(service.url, path, { method, headers: bearer(bob.key) });
        assert.ok(
          !answer.text.includes('svc_live_') || !answer.text.includes(ann.key.slice(9, 19)),
          answer.text,
        );
        if (method === 'DELETE') assert.equal(answer.status, 404);
      }
      assert.equal((await me(withKey(ann.key))).status, 200);
    });
  });
});
