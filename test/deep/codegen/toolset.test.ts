import assert from 'node:assert/strict';
import { startDeployment } from '../../codegen/support/deployment.js';
import { runCodegen } from '../../codegen/support/generated.js';
import {
  makeClient,
  watched,
  type Deployment,
  type Failed,
  type Made,
  type Module,
  type Options,
} from '../../codegen/support/made-client.js';

describe('codegen: a changed toolset', () => {
  let all: Made;
  let other: Deployment;
  const client = (options: Partial<Options> = {}) => all.client(options);
  const failure = (work: Promise<unknown>) => all.failure(work);
  before(async () => {
    all = await makeClient();
    other = await startDeployment({ toolsets: { exclude: ['members_add'] } });
  });
  after(async () => {
    await other.stop();
    await all.close();
  });

  it('says which tools, and to generate it again; it asks again the next time', async () => {
    const { methods, fetch: watching } = watched();
    const one = client({ url: other.url, key: other.key, fetch: watching });
    const mismatch = await failure(one.connect());
    assert.ok(mismatch instanceof all.made.ToolsetMismatch);
    assert.equal(mismatch.code, 'TOOLSET_MISMATCH');
    assert.match(mismatch.message, /missing: members_add.*Run service-mcp codegen again/);
    assert.deepEqual([mismatch.missing, mismatch.changed, mismatch.added], [['members_add'], [], []]);
    assert.equal((await failure(one.help())).code, 'TOOLSET_MISMATCH');
    assert.deepEqual(methods, ['tools/list', 'tools/list'], 'nothing was called');
    const { stdout } = await runCodegen(['--url', other.url], { SERVICE_API_KEY: other.key });
    const { ServiceClient } = await all.bench.load<Module>(stdout);
    const wide = new ServiceClient({ url: all.service.url, key: all.service.key });
    await assert.rejects(wide.help(), /added: members_add/);
  });

  it('goes on when the option allows it', async () => {
    const { methods, fetch: watching } = watched();
    const told: Failed[] = [];
    const heard = client({
      url: other.url,
      key: other.key,
      fetch: watching,
      onMismatch: (each) => told.push(each),
    });
    await heard.help();
    await heard.help();
    assert.deepEqual([told.length, told[0]?.missing], [1, ['members_add']]);
    await client({ url: other.url, key: other.key, fetch: watching, onMismatch: 'ignore' }).help();
    assert.deepEqual(methods, ['tools/list', 'tools/call', 'tools/call', 'tools/call']);
  });

  it('covers a key with fewer permissions and a changed schema; the order of keys does not matter', async () => {
    const narrow = await fetch(`${all.service.url}/v1/auth/api-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': all.service.key },
      body: JSON.stringify({ name: 'narrow', scopes: ['search:read'] }),
    });
    const { data } = (await narrow.json()) as { data: { secret_key: string } };
    const less = await failure(client({ key: data.secret_key }).help());
    assert.ok(less.missing?.includes('workspaces_create') && !less.missing.includes('search_hybrid'));

    const changed = watched((body) => {
      const tools = body.result.tools as { name: string; inputSchema: object }[] | undefined;
      for (const tool of tools ?? [])
        if (tool.name === 'help') Object.assign(tool.inputSchema, { maxProperties: 9 });
      return body;
    });
    assert.deepEqual((await failure(client({ fetch: changed.fetch }).help())).changed, ['help']);

    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, each]) => [key, reversed(each)]),
      );
    };
    const shuffled = watched((body) => {
      if (body.result.tools) body.result.tools.reverse();
      return reversed(body);
    });
    await client({ fetch: shuffled.fetch }).connect();
  });
});
