import assert from 'node:assert/strict';
import { bearer, startHosted, type Account, type Hosted } from '../security/start-hosted.js';
import { PASSWORD } from '../security/start-team.js';
import { NOBODY, PAGE_FIELDS, RFC3339_MS, UUIDV7, dataOf, send } from './http.js';

/** Every row of the table, with a body that its schema takes. */
const ROWS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/v1/auth/me'],
  ['POST', '/v1/auth/api-keys', { name: 'a machine' }],
  ['GET', '/v1/workspaces'],
  ['POST', '/v1/workspaces', { name: 'w' }],
  ['GET', '/v1/workspaces/:id'],
  ['GET', '/v1/workspaces/:id/overview'],
  ['POST', '/v1/search/semantic', { query: 'x', workspace_id: ':id' }],
  ['POST', '/v1/search/hybrid', { query: 'x', workspace_id: ':id' }],
  ['POST', '/v1/search/keyword', { query: 'x', workspace_id: ':id' }],
  ['POST', '/v1/search/pattern', { query: 'x', workspace_id: ':id' }],
];

describe('interface.md 4.1: public API routes, with accounts', () => {
  let service: Hosted;
  let ann: Account;
  let workspaceId: string;
  before(async () => {
    service = await startHosted();
    ann = await service.account('ann');
    const made = await send(service.url, 'POST', '/v1/workspaces', {
      body: { name: 'first' },
      headers: bearer(ann.key),
    });
    workspaceId = dataOf<{ id: string }>(made.body).id;
  });
  after(() => service.stop());

  it('4.1 POST /v1/auth/register: create a user account, without a credential', async () => {
    const body = { email: 'Reg@Example.com', password: PASSWORD, name: 'Reg' };
    const reply = await send(service.url, 'POST', '/v1/auth/register', { body });
    assert.equal(reply.status, 201);
    const { user, access_token, refresh_token, token_type, expires_in, ...rest } = dataOf<
      Record<string, unknown>
    >(reply.body);
    assert.deepEqual(rest, {});
    const { id, created_at, ...profile } = user as Record<string, unknown>;
    assert.match(String(id), UUIDV7);
    assert.match(String(created_at), RFC3339_MS);
    assert.deepEqual(profile, { email: 'reg@example.com', name: 'Reg' });
    assert.equal(token_type, 'Bearer');
    assert.ok(Number.isInteger(expires_in) && Number(expires_in) > 0);
    assert.ok(typeof access_token === 'string' && typeof refresh_token === 'string');
  });

  it('4.1 POST /v1/auth/login: authenticate and get tokens, without a credential', async () => {
    const body = { email: ann.email, password: PASSWORD };
    const reply = await send(service.url, 'POST', '/v1/auth/login', { body });
    assert.equal(reply.status, 200);
    const { user, access_token } = dataOf<{ user: { id: string }; access_token: string }>(reply.body);
    assert.equal(user.id, ann.id);
    const me = await send(service.url, 'GET', '/v1/auth/me', { headers: bearer(access_token) });
    assert.equal(me.body.data?.['id'], ann.id);
  });

  it('4.1 GET /v1/auth/me: get current user profile', async () => {
    const reply = await send(service.url, 'GET', '/v1/auth/me', { headers: bearer(ann.key) });
    assert.equal(reply.status, 200);
    const { id, email, name } = dataOf<Record<string, unknown>>(reply.body);
    assert.deepEqual({ id, email, name }, { id: ann.id, email: ann.email, name: 'ann' });
  });

  it('4.1 POST /v1/auth/api-keys: create an API key, good at once', async () => {
    const headers = bearer(ann.key);
    const reply = await send(service.url, 'POST', '/v1/auth/api-keys', { body: { name: 'ci' }, headers });
    assert.equal(reply.status, 201);
    const { secret_key } = dataOf<{ secret_key: string }>(reply.body);
    const used = await send(service.url, 'GET', '/v1/workspaces', { headers: bearer(secret_key) });
    assert.equal(used.status, 200);
  });

  for (const [method, path, body] of ROWS) {
    const sent = () => {
      const filled = JSON.parse(JSON.stringify(body ?? {}).replaceAll(':id', workspaceId)) as object;
      return [path.replace(':id', workspaceId), body ? { body: filled } : {}] as const;
    };

    it(`4.1 ${method} ${path}: with Authorization: Bearer <API_KEY>`, async () => {
      const [at, request] = sent();
      const reply = await send(service.url, method, at, { ...request, headers: bearer(ann.key) });
      assert.ok([200, 201].includes(reply.status), reply.text);
      assert.equal(reply.body.success, true);
    });

    it(`4.1, 7 ${method} ${path}: credential missing or rejected is 401`, async () => {
      const [at, request] = sent();
      for (const headers of [{}, bearer('nonsense'), bearer(`${ann.key.slice(0, -1)}~`)]) {
        const reply = await send(service.url, method, at, { ...request, headers });
        assert.equal(reply.status, 401, reply.text);
        assert.equal(reply.body.error?.code, 'UNAUTHENTICATED');
        assert.match(reply.header('www-authenticate') ?? '', /^Bearer/);
      }
    });
  }
});

describe('interface.md 4.2: backend REST routes, with accounts', () => {
  let service: Hosted;
  let ann: Account;
  let bob: Account;
  let workspaceId: string;
  const use = (account: Account, method: string, path: string, body?: object) =>
    send(service.url, method, path, { headers: bearer(account.key), ...(body && { body }) });
  before(async () => {
    service = await startHosted();
    [ann, bob] = [await service.account('ann'), await service.account('bob')];
    const made = await use(ann, 'POST', '/v1/workspaces', { name: 'first' });
    workspaceId = dataOf<{ id: string }>(made.body).id;
  });
  after(() => service.stop());

  for (const [path, kind] of [
    ['/api/v1/workspaces', 'workspaces'],
    ['/api/v1/projects', 'projects'],
  ] as const) {
    it(`4.2 GET ${path}: the caller's ${kind}, as a page without envelope; 401 in the envelope`, async () => {
      const page = await send<Record<string, unknown>>(service.url, 'GET', path, {
        headers: bearer(ann.key),
      });
      assert.deepEqual(Object.keys(page.body).sort(), PAGE_FIELDS);
      assert.equal(page.body['total'], kind === 'workspaces' ? 1 : 0);
      const other = await send<Record<string, unknown>>(service.url, 'GET', path, {
        headers: bearer(bob.key),
      });
      assert.equal(other.body['total'], 0);
      const refused = await send(service.url, 'GET', path);
      assert.deepEqual([refused.status, refused.body.success, refused.body.data], [401, false, null]);
    });
  }

  for (const prefix of ['/api/v1', '/v1']) {
    describe(`under ${prefix}`, () => {
      const at = (rest = '') => `${prefix}/workspaces/${workspaceId}/members${rest}`;

      it('4.2 GET members: a page in the envelope, with the owner; ids are stable across reads', async () => {
        const [first, second] = [await use(ann, 'GET', at()), await use(ann, 'GET', at())];
        assert.equal(first.status, 200);
        const page = dataOf<{ items: Record<string, unknown>[] }>(first.body);
        assert.deepEqual(Object.keys(page).sort(), PAGE_FIELDS);
        const [{ id, created_at, ...owner } = {}] = page.items;
        assert.match(String(id), UUIDV7);
        assert.match(String(created_at), RFC3339_MS);
        assert.deepEqual(owner, {
          workspace_id: workspaceId,
          user_id: ann.id,
          email: ann.email,
          name: 'ann',
          role: 'owner',
          status: 'accepted',
        });
        assert.deepEqual(second.body.data?.['items'], page.items);
      });

      it('4.2 the member sub-route is keyed by user id: add, get, change, remove', async () => {
        const added = await use(ann, 'POST', at(), { email: bob.email, role: 'viewer' });
        assert.equal(added.status, 201);
        const invited = dataOf<{ id: string; user_id: null }>(added.body);
        const pending = await use(ann, 'GET', at(`/${invited.id}`));
        assert.deepEqual([pending.status, pending.body.data], [200, invited]);
        const accepted = await use(bob, 'POST', `${prefix}/auth/invitations/${invited.id}/accept`);
        const member = dataOf<{ id: string; user_id: string }>(accepted.body);
        assert.deepEqual([member.id, member.user_id], [invited.id, bob.id]);
        const got = await use(ann, 'GET', at(`/${bob.id}`));
        assert.deepEqual([got.status, got.body.data], [200, member]);
        const changed = await use(ann, 'PATCH', at(`/${bob.id}`), { role: 'member' });
        assert.deepEqual([changed.status, changed.body.data], [200, { ...member, role: 'member' }]);
        assert.equal(
          (await use(ann, 'GET', at(`/${member.id}`))).status,
          404,
          'a membership id is not a user id',
        );
        const removed = await use(ann, 'DELETE', at(`/${bob.id}`));
        assert.deepEqual([removed.status, removed.body.data], [200, { id: member.id, deleted: true }]);
        assert.equal((await use(ann, 'GET', at(`/${bob.id}`))).status, 404);
      });

      it('contract 3: the last owner cannot leave or be demoted (409)', async () => {
        for (const reply of [
          await use(ann, 'DELETE', at(`/${ann.id}`)),
          await use(ann, 'PATCH', at(`/${ann.id}`), { role: 'admin' }),
        ])
          assert.deepEqual([reply.status, reply.body.error?.code], [409, 'CONFLICT']);
      });

      it('7 without a credential 401, for an outsider 404 as for an unknown id', async () => {
        assert.equal((await send(service.url, 'GET', at())).status, 401);
        const outside = await use(bob, 'GET', at());
        const absent = await use(bob, 'GET', `${prefix}/workspaces/${NOBODY}/members`);
        assert.deepEqual([outside.status, absent.status], [404, 404]);
        assert.equal(
          outside.body.error?.message.replace(workspaceId, ''),
          absent.body.error?.message.replace(NOBODY, ''),
        );
      });
    });
  }
});
