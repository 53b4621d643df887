import assert from 'node:assert/strict';
import { bearer, startHosted, type Account, type Hosted } from './start-hosted.js';
import { ask, codeOf, post } from './raw-http.js';

interface Page<T> {
  readonly items: T[];
}
interface Member {
  readonly id: string;
  readonly user_id: string | null;
  readonly status: string;
}

describe('threat: memberships without consent', () => {
  let service: Hosted;
  let mallory: Account;
  let victim: Account;
  let trap: string;
  before(async () => {
    service = await startHosted();
    await service.account('root');
    [mallory, victim] = [await service.account('mallory'), await service.account('victim')];
    trap = await make(mallory, 'trap');
  });
  after(() => service.stop());

  async function make(by: Account, name: string): Promise<string> {
    const made = await post(service.url, '/v1/workspaces', { name }, bearer(by.key));
    return made.json<{ data: { id: string } }>().data.id;
  }
  const invite = (email: string) =>
    post(service.url, `/v1/workspaces/${trap}/members`, { email, role: 'admin' }, bearer(mallory.key));
  const read = async <T>(path: string, by = victim): Promise<T> => {
    const answer = await ask(service.url, path, { headers: bearer(by.key) });
    assert.equal(answer.status, 200, answer.text);
    const json = answer.json<{ data?: T } & T>();
    return json.data ?? json;
  };

  it('a workspace of a stranger does not become the default of a new person', async () => {
    assert.equal((await invite(victim.email)).status, 201);
    assert.deepEqual((await read<Page<object>>('/api/v1/workspaces')).items, []);
    assert.deepEqual((await read<{ workspaces: object[] }>('/v1/auth/me')).workspaces, []);
    const project = await post(service.url, '/v1/projects', { name: 'source' }, bearer(victim.key));
    assert.deepEqual([project.status, codeOf(project)], [400, 'INVALID_ARGUMENT']);
    assert.equal(
      (await ask(service.url, `/v1/workspaces/${trap}`, { headers: bearer(victim.key) })).status,
      404,
    );
  });

  it('a person with one workspace still has one: calls that leave it out keep working', async () => {
    const own = await make(victim, 'own');
    const projects = await read<Page<object>>('/api/v1/projects');
    assert.deepEqual(projects.items, []);
    const made = await post(service.url, '/v1/projects', { name: 'source' }, bearer(victim.key));
    assert.equal(made.json<{ data: { workspace_id: string } }>().data.workspace_id, own);
  });

  it('an answer does not tell which addresses have accounts, in its fields and in the list', async () => {
    const fields = async (email: string) => {
      const answer = await invite(email);
      assert.equal(answer.status, 201, answer.text);
      const {
        id: _id,
        email: _email,
        created_at: _at,
        ...rest
      } = answer.json<{ data: Record<string, unknown> }>().data;
      return rest;
    };
    const other = await service.account('other');
    assert.deepEqual(await fields(other.email), await fields('nobody@example.com'));
    const again = await Promise.all([other.email, 'nobody@example.com'].map(invite));
    assert.deepEqual(
      again.map((one) => one.status),
      [409, 409],
    );
    const { items } = await read<Page<Member>>(`/v1/workspaces/${trap}/members`, mallory);
    const waiting = items.filter((one) => one.status === 'pending');
    assert.deepEqual(new Set(waiting.map((one) => one.user_id)), new Set([null]));
    for (const email of [other.email, 'nobody@example.com']) {
      const wanted = { email, workspace_id: trap, role: 'viewer' };
      const invited = await post(service.url, '/v1/auth/invitations', wanted, bearer(mallory.key));
      assert.equal(invited.status, 201, invited.text);
    }
  });

  it('whoever registers the invited address takes it, by accepting', async () => {
    const late = await service.account('nobody');
    const [waiting] = (await read<Page<Member>>('/v1/auth/invitations/mine', late)).items;
    const path = `/v1/auth/invitations/${waiting?.id}`;
    assert.equal((await post(service.url, `${path}/accept`, {}, bearer(victim.key))).status, 404);
    const accepted = await post(service.url, `${path}/accept`, {}, bearer(late.key));
    const { id, user_id, status } = accepted.json<{ data: Member }>().data;
    assert.deepEqual({ id, user_id, status }, { id: waiting?.id, user_id: late.id, status: 'accepted' });
    assert.equal(
      (await ask(service.url, `/v1/workspaces/${trap}`, { headers: bearer(late.key) })).status,
      200,
    );
    assert.equal((await post(service.url, `${path}/decline`, {}, bearer(late.key))).status, 404);
  });
});
