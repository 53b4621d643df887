import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../command.js';
import { ask, post } from './raw-http.js';
import { bearer, startHosted, withKey, type Account, type Hosted } from './start-hosted.js';

describe('threat: a stored key makes its reader the person', () => {
  let service: Hosted;
  let owner: Account;
  let viewer: Account;
  let workspace_id: string;
  let folder: string;
  before(async () => {
    service = await startHosted();
    [owner, viewer] = [await service.account('owner'), await service.account('viewer')];
    workspace_id = await made('/v1/workspaces', { name: 'team' });
    const invited = await made(`/v1/workspaces/${workspace_id}/members`, {
      email: viewer.email,
      role: 'viewer',
    });
    await post(service.url, `/v1/auth/invitations/${invited}/accept`, {}, bearer(viewer.key));
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-keys-'));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function made(path: string, body: object): Promise<string> {
    const answer = await post(service.url, path, body, withKey(owner.key));
    assert.equal(answer.status, 201, answer.text);
    return answer.json<{ data: { id: string } }>().data.id;
  }
  /** Everything of the workspace that a viewer can ask for. */
  async function readByViewer(): Promise<string> {
    const query = { query: 'svc_[a-z]+_\\w+', workspace_id };
    const texts = [await post(service.url, '/v1/search/pattern', query, bearer(viewer.key))];
    const events = `/v1/memory/events/workspace/${workspace_id}`;
    for (const path of [`/v1/workspaces/${workspace_id}`, '/v1/workspaces', '/api/v1/projects', events])
      texts.push(await ask(service.url, path, { headers: bearer(viewer.key) }));
    for (const answer of texts) assert.equal(answer.status, 200, answer.text);
    return texts.map((answer) => answer.text).join('\n');
  }

  it('ingest leaves out the file of a client, and every other file that holds a key, and names them', async () => {
    const headers = { Authorization: `Bearer ${owner.key}` };
    const client = { mcpServers: { memory: { type: 'http', url: `${service.url}/mcp`, headers } } };
    await writeFile(join(folder, '.mcp.json'), JSON.stringify(client));
    await writeFile(join(folder, 'setup.md'), `export SERVICE_API_KEY=${owner.key}\n`);
    await writeFile(join(folder, 'a.ts'), 'export const a = 1;\n');
    const { code, stdout, stderr } = await runCommand(
      ['ingest', folder, '--url', service.url, '--workspace', workspace_id, '--json'],
      { env: { SERVICE_API_KEY: owner.key } },
    );
    assert.equal(code, 0, stderr);
    const result = JSON.parse(stdout) as { sent: number; skipped_paths: Record<string, string[]> };
    assert.equal(result.sent, 1);
    assert.deepEqual(result.skipped_paths, { secret: ['.mcp.json'], service_key: ['setup.md'] });
    const read = await readByViewer();
    assert.ok(!read.includes(owner.key));
  });

  it('the service takes keys and tokens of its own out of whatever is stored, and says so', async () => {
    const { key, access_token, refresh_token } = owner;
    const text = `${key} ${access_token} ${refresh_token}`;
    const project = await made('/v1/projects', { workspace_id, name: 'leaky', description: text });
    const files = [{ path: 'keys.txt', content: `a\n${text}\n` }];
    const ingested = await post(service.url, `/v1/projects/${project}/files/ingest`, { files }, withKey(key));
    assert.deepEqual(ingested.json<{ data: { redacted: unknown } }>().data.redacted, [
      { path: 'keys.txt', rule: 'service-credential', line: 2 },
    ]);
    const said = { workspace_id, event_type: 'note', title: `t ${key}`, content: text, tags: [key] };
    const event = await post(service.url, '/v1/memory/events', said, withKey(key));
    assert.ok(event.text.includes('"redacted"') && !event.text.includes(key), event.text);
    const update = await ask(service.url, `/v1/workspaces/${workspace_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...withKey(key) },
      body: JSON.stringify({ description: text }),
    });
    assert.ok(update.text.includes('"redacted"'), update.text);
    const content = await ask(service.url, `/v1/projects/${project}/files/content?path=keys.txt`, {
      headers: bearer(viewer.key),
    });
    assert.equal(
      content.json<{ data: { content: string } }>().data.content,
      'a\n[redacted] [redacted] [redacted]\n',
    );
    const read = await readByViewer();
    for (const secret of [key, access_token, refresh_token]) assert.ok(!read.includes(secret));
  });
});
