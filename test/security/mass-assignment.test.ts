import assert from 'node:assert/strict';
import { bearer, startHosted, type Account, type Hosted } from './start-hosted.js';
import { ask, codeOf, post, JSON_BODY } from './raw-http.js';
import { PASSWORD } from './start-team.js';

/** Fields that a request must never set. */
const SMUGGLED: readonly (readonly [string, unknown])[] = [
  ['user_id', '00000000-0000-7000-8000-000000000001'],
  ['id', '00000000-0000-7000-8000-000000000001'],
  ['administrator', true],
  ['administrator', 1],
  ['role', 'owner'],
  ['disabled_at', null],
  ['created_at', '2000-01-01T00:00:00.000Z'],
  ['created_by', 'me'],
  ['password_hash', 'x'],
  ['parent_id', null],
  ['revoked_at', null],
  ['caller', { administrator: true }],
  ['admission', {}],
  ['__proto__', { administrator: true }],
  ['constructor', { prototype: { administrator: true } }],
];

describe('threat: mass assignment', () => {
  let service: Hosted;
  let root: Account;
  let ann: Account;
  before(async () => {
    service = await startHosted();
    root = await service.account('root');
    ann = await service.account('ann');
  });
  after(() => service.stop());

  const routes = (): readonly (readonly [string, object, string?])[] => [
    ['/v1/auth/register', { email: 'new@example.com', password: PASSWORD }],
    ['/v1/auth/login', { email: ann.email, password: PASSWORD }],
    ['/v1/auth/password', { current_password: PASSWORD, new_password: PASSWORD }],
    ['/v1/auth/api-keys', { name: 'k' }],
    ['/v1/workspaces', { name: 'w' }],
  ];

  it('an unknown field is refused by name, over REST and the compatibility route', async () => {
    for (const [path, body] of routes()) {
      for (const [name, value] of SMUGGLED) {
        const text = `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        const answer = await post(service.url, path, text, bearer(ann.key));
        assert.deepEqual(
          [answer.status, codeOf(answer)],
          [400, 'INVALID_ARGUMENT'],
          `${path} ${name}: ${answer.text}`,
        );
        assert.ok(answer.text.includes(name), answer.text);
      }
    }
    const { total } = (await ask(service.url, '/v1/auth/api-keys', { headers: bearer(ann.key) })).json<{
      data: { total: number };
    }>().data;
    assert.equal(total, 1, 'no key was made on the way');
    assert.equal(({} as { administrator?: unknown }).administrator, undefined, 'no prototype was changed');
  });

  it('nor can the query of a POST, or a form, say it', async () => {
    const answer = await post(
      service.url,
      `/v1/workspaces?user_id=${root.id}`,
      { name: 'w' },
      bearer(ann.key),
    );
    assert.equal(answer.status, 400);
    const made = await ask(service.url, '/oauth/register', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: service.url,
      },
      body: new URLSearchParams({
        email: 'form@example.com',
        new_password: PASSWORD,
        again: PASSWORD,
        administrator: '1',
        id: root.id,
        role: 'owner',
      }).toString(),
    });
    assert.equal(made.status, 303, made.text);
    const row = (await service.host.database.sql('users').where({ email: 'form@example.com' }).first()) as {
      id: string;
      administrator: number;
    };
    assert.equal(row.administrator, 0);
    assert.notEqual(row.id, root.id);
  });

  it('a client that registers gets no more than the metadata that it may have', async () => {
    const answer = await post(service.url, '/api/v1/oauth/register', {
      redirect_uris: ['https://client.example/back'],
      client_id: 'chosen',
      client_secret: 'chosen-by-the-client-and-long-enough',
      user_id: root.id,
      scope: 'admin:write',
      is_trusted: true,
    });
    if (answer.status === 201) {
      const made = answer.json();
      assert.notEqual(made['client_id'], 'chosen');
      assert.notEqual(made['client_secret'], 'chosen-by-the-client-and-long-enough');
      for (const name of ['user_id', 'scope', 'is_trusted']) assert.equal(made[name], undefined, name);
    } else assert.equal(answer.status, 400, answer.text);
  });

  it('a workspace in the path is not another one in the body', async () => {
    const make = async (by: Account, name: string) =>
      (await post(service.url, '/v1/workspaces', { name }, bearer(by.key))).json<{ data: { id: string } }>()
        .data.id;
    const [mine, theirs] = [await make(ann, 'mine'), await make(root, 'theirs')];
    for (const [path, body] of [
      [`/v1/workspaces/${mine}/members`, { email: root.email, role: 'viewer', workspace_id: theirs }],
      [`/v1/workspaces/${theirs}/members`, { email: root.email, role: 'viewer', workspace_id: mine }],
    ] as const) {
      const answer = await ask(service.url, path, {
        method: 'POST',
        headers: { ...JSON_BODY, ...bearer(ann.key) },
        body: JSON.stringify(body),
      });
      assert.ok([400, 404].includes(answer.status), answer.text);
    }
  });
});
