import assert from 'node:assert/strict';
import { bearer, startHosted, type Account, type Hosted } from './start-hosted.js';
import { codeOf, post } from './raw-http.js';

describe('threat: abuse of invitations', () => {
  let service: Hosted;
  let root: Account;
  let ann: Account;
  let bob: Account;
  let workspaceId: string;
  before(async () => {
    service = await startHosted();
    root = await service.account('root');
    [ann, bob] = [await service.account('ann'), await service.account('bob')];
    const made = await post(service.url, '/v1/workspaces', { name: 'w' }, bearer(ann.key));
    workspaceId = made.json<{ data: { id: string } }>().data.id;
  });
  after(() => service.stop());

  const invite = (by: Account, wanted: object) =>
    post(service.url, '/v1/auth/invitations', wanted, bearer(by.key));
  const register = (email: string, invitation: unknown) =>
    post(service.url, '/v1/auth/register', { email, password: 'correct horse battery', invitation });
  const tokenOf = (answer: Awaited<ReturnType<typeof invite>>) => {
    assert.equal(answer.status, 201, answer.text);
    return answer.json<{ data: { token: string } }>().data.token;
  };

  it('one is good once, for its address alone, and of ten at once one wins', async () => {
    const email = 'guest@example.com';
    const token = tokenOf(await invite(ann, { email, workspace_id: workspaceId, role: 'viewer' }));
    const other = await register('other@example.com', token);
    assert.deepEqual([other.status, codeOf(other)], [400, 'INVALID_ARGUMENT']);
    const anywhere = tokenOf(await invite(root, { email: 'anywhere@example.com' })); // where no membership waits
    assert.equal((await register('other@example.com', anywhere)).status, 400);
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(email, token)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.equal((await register('again@example.com', token)).status, 400);
    for (const wrong of ['', 'svc_in_', `${token}x`, token.toLowerCase(), '%', "' OR 1=1", ['x'], { $ne: 1 }])
      assert.equal((await register('again@example.com', wrong)).status, 400, JSON.stringify(wrong));
  });

  it('nobody invites above their own role or into another workspace, and only administrators invite to the deployment', async () => {
    const admin = await service.account('admin');
    const path = `/v1/workspaces/${workspaceId}/members`;
    const added = await post(service.url, path, { email: admin.email, role: 'admin' }, bearer(ann.key));
    assert.equal(added.status, 201, added.text);
    const { id } = added.json<{ data: { id: string } }>().data;
    const accepted = await post(service.url, `/v1/auth/invitations/${id}/accept`, {}, bearer(admin.key));
    assert.equal(accepted.status, 200, accepted.text);
    const email = 'above@example.com';
    const above = await invite(admin, { email, workspace_id: workspaceId, role: 'owner' });
    assert.deepEqual([above.status, codeOf(above)], [403, 'PERMISSION_DENIED']);
    const outside = await invite(bob, { email, workspace_id: workspaceId, role: 'viewer' });
    assert.equal(outside.status, 404);
    assert.equal((await invite(admin, { email })).status, 403);
    assert.equal((await invite(admin, { email, workspace_id: workspaceId, role: 'admin' })).status, 201);
  });
});
