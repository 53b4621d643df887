import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startHosted, type Hosted } from '../../gateway/support/restartable-service.js';
import { environment } from '../../gateway/support/run-until-ended.js';
import { BINARY } from '../../command.js';

const ME = { name: 'tools_are_listed', version: '1' };

interface Outcome {
  readonly structuredContent?: { readonly server?: string };
  readonly _meta?: { readonly 'service-mcp/error'?: { readonly code: string } };
}

describe('gateway: the same adapter over standard input and output', function () {
  let service: Hosted;
  let folder: string;
  before(async () => {
    service = await startHosted();
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-stdio-'));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function over(env: Record<string, string>, cwd = folder): Promise<Client> {
    const client = new Client(ME);
    const server = { command: process.execPath, args: [BINARY, 'stdio'], env: environment(env), cwd };
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
    return client;
  }
  const use = async (client: Client, name: string, args: object = {}): Promise<Outcome> =>
    (await client.callTool({ name, arguments: { ...args } })) as Outcome; // a test says what it expects

  it('calls the service with SERVICE_API_KEY, in both eras', async () => {
    const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: ` ${service.key}\n` };
    const old = await over(env);
    assert.match(old.getInstructions() ?? '', /Call help/);
    const { tools } = await old.listTools();
    assert.ok(tools.some(({ name }) => name === 'search_hybrid'));
    assert.equal((await use(old, 'help', { action: 'version' })).structuredContent?.server, 'service-mcp');
    await old.close();

    const modern = new ModernClient(ME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const server = { command: process.execPath, args: [BINARY, 'stdio'], env: environment(env) };
    await modern.connect(new ModernTransport({ ...server, stderr: 'ignore' }));
    const listed = await modern.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    await modern.close();
  });

  it('takes the stored key of the address', async () => {
    const client = await over({ SERVICE_API_URL: service.url, XDG_CONFIG_HOME: service.configHome });
    const listed = await use(client, 'workspaces_list');
    assert.ok(listed.structuredContent, JSON.stringify(listed));
    await client.close();
  });

  it('takes no key from a file in the client’s folder, which its author may have planted', async () => {
    const project = join(folder, 'project');
    await mkdir(project);
    const entry = { type: 'http', url: `${service.url}/mcp`, headers: { 'X-Service-API-Key': service.key } };
    await writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { it: entry } }), {
      mode: 0o600,
    });
    const env = { SERVICE_API_URL: service.url, XDG_CONFIG_HOME: join(folder, 'no-config') };
    const client = await over(env, project);
    assert.match(
      client.getInstructions() ?? '',
      /A key for http[^]* is needed, and none was found: set SERVICE_API_KEY/,
    );
    await assert.rejects(client.listTools(), /needs a credential/);
    await client.close();
  });

  it('says that the service is away, and goes on when it is there', async () => {
    const client = await over({ SERVICE_API_URL: service.url, SERVICE_API_KEY: service.key });
    await service.kill();
    const away = await use(client, 'workspaces_list');
    assert.equal(away._meta?.['service-mcp/error']?.code, 'UNAVAILABLE');
    assert.equal((await use(client, 'help', { action: 'version' })).structuredContent?.server, 'service-mcp');
    await assert.rejects(client.listTools(), /is unavailable/);
    await service.start();
    const back = await use(client, 'workspaces_list');
    assert.ok(back.structuredContent, JSON.stringify(back));
    await client.close();
  });

  it('starts while the service is away', async () => {
    const client = await over({ SERVICE_API_URL: 'http://127.0.0.1:1' });
    assert.match(client.getInstructions() ?? '', /does not respond/);
    assert.equal((await use(client, 'help', { action: 'version' })).structuredContent?.server, 'service-mcp');
    await client.close();
  });
});
