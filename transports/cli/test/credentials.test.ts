import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findCredential, type Credential } from '#cli/connection/credentials.js';
import { keepKey, keptKeysFile } from '#cli/connection/kept-keys.js';
import type { Failure } from '#cli/failure.js';
import { loadGatewayWithKey } from '#cli/gateway.js';
import { folderWith } from './support/folder.js';
import { runCommand } from './support/command.js';

const URL_8080 = 'http://127.0.0.1:8080';
const TEAM = 'https://memory.example.org';

describe('where a key is found', () => {
  let home: Awaited<ReturnType<typeof folderWith>>;
  let warnings: string[];
  beforeEach(async () => {
    home = await folderWith();
    warnings = [];
  });
  afterEach(() => home.remove());

  const config = () => join(home.path, 'config');
  const kept = () => keptKeysFile({ XDG_CONFIG_HOME: config() });
  const find = (
    url: string,
    more: { env?: object; given?: string; chosen?: boolean; folder?: string } = {},
  ): Promise<Credential | undefined> =>
    findCredential({
      url,
      chosen: more.chosen ?? true,
      env: { XDG_CONFIG_HOME: config(), ...more.env },
      folder: join(home.path, more.folder ?? ''),
      given: more.given,
      warn: (line) => warnings.push(line),
    });
  const keep = async (value: unknown, mode = 0o600) => {
    await home.write(
      'config/service-mcp/credentials.json',
      typeof value === 'string' ? value : JSON.stringify(value),
    );
    await chmod(kept(), mode);
  };
  const clients = async (servers: object, folder = '', mode = 0o600) => {
    await home.write(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await chmod(join(home.path, folder, '.mcp.json'), mode);
  };

  it('of a gateway and of commands may be in the file of SERVICE_API_KEY_FILE, which it names', async () => {
    await home.write('key', 'svc_live_of-file\n');
    const env = { SERVICE_API_KEY_FILE: join(home.path, 'key'), XDG_CONFIG_HOME: config() };
    const { keySource, settings } = await loadGatewayWithKey({}, env, (line) => warnings.push(line));
    assert.deepEqual([settings.upstream.api_key, keySource], ['svc_live_of-file', 'SERVICE_API_KEY_FILE']);
    assert.deepEqual(await find(URL_8080, { env }), { key: 'svc_live_of-file', source: keySource });
    await assert.rejects(
      find(URL_8080, { env: { SERVICE_API_KEY_FILE: '/no/such' } }),
      /\/no\/such cannot be read/,
    );
  });

  it('is standard input, the environment, .mcp.json here and up, the kept keys, in this order', async () => {
    assert.equal(await find(URL_8080), undefined);
    await keep({ 'http://localhost:8080/': { key: 'of-kept' } });
    assert.deepEqual(await find(URL_8080), { key: 'of-kept', source: kept() });
    await clients({ a: { url: `${URL_8080}/mcp`, headers: { 'X-Service-API-Key': 'of-above' } } });
    await mkdir(join(home.path, 'a/b'), { recursive: true });
    assert.equal((await find(URL_8080, { folder: 'a/b' }))?.key, 'of-above');
    await clients(
      { a: { url: 'http://[::1]:8080/agent-a', headers: { authorization: 'bearer of-near' } } },
      'a',
    );
    const near = await find(URL_8080, { folder: 'a/b' });
    assert.deepEqual(near, { key: 'of-near', source: join(home.path, 'a', '.mcp.json') });
    const env = { SERVICE_API_KEY: ' of-env ' };
    assert.deepEqual(await find(URL_8080, { env, folder: 'a/b' }), {
      key: 'of-env',
      source: 'SERVICE_API_KEY',
    });
    assert.deepEqual(await find(URL_8080, { env, given: 'of-stdin' }), {
      key: 'of-stdin',
      source: '--key-stdin',
    });
    assert.equal((await find(URL_8080, { env: { SERVICE_API_KEY: ' ' }, folder: 'a/b' }))?.key, 'of-near');
    // The author of the folder may have planted a key of their own account.
    assert.equal(warnings.length, 3);
    for (const warning of warnings) assert.match(warning, /Using the key in .*\.mcp\.json, and not the one/);
  });

  it('goes to the address that it belongs to alone', async () => {
    await keep({
      [URL_8080]: { key: 'local' },
      [TEAM]: { key: 'team' },
      'https://x.example/base/': { key: 'base' },
    });
    const keys = async (...urls: string[]) => Promise.all(urls.map(async (url) => (await find(url))?.key));
    assert.deepEqual(
      await keys('http://localhost:8080', 'http://[::1]:8080', TEAM, 'https://x.example/base'),
      ['local', 'local', 'team', 'base'],
    );
    const others = [
      'https://localhost:8080',
      'http://127.0.0.1:8081',
      'http://memory.example.org',
      'http://127.0.0.2:8080',
    ];
    const near = [`${TEAM}:8443`, `${TEAM}.evil.example`, 'https://x.example', 'https://x.example/base/more'];
    for (const url of [...others, ...near]) assert.equal(await find(url), undefined, url);
    await clients({
      team: { url: `${TEAM}/mcp?default_context_mode=fast`, headers: { 'x-service-api-key': 'client' } },
    });
    assert.equal((await find(TEAM))?.key, 'client');
    assert.equal((await find(URL_8080))?.key, 'local');
    for (const url of near) assert.equal(await find(url), undefined, url);
  });

  it('knows entries that start a process, and puts variables in', async () => {
    await clients({
      none: 'x',
      other: { url: 'https://other.example/mcp', headers: { 'X-Service-API-Key': 'other' } },
      started: {
        command: 'service-mcp',
        env: { SERVICE_API_KEY: '${TEAM_KEY}', SERVICE_API_URL: '${AT:-https://memory.example.org}' },
      },
      local: { command: 'service-mcp', env: { SERVICE_API_KEY: '${GONE}' } },
      second: { type: 'http', url: `${URL_8080}/mcp`, headers: { Authorization: 'Bearer ${LOCAL}' } },
    });
    const env = { TEAM_KEY: 'one', LOCAL: 'two' };
    assert.equal((await find(TEAM, { env }))?.key, 'one');
    assert.equal((await find(URL_8080, { env }))?.key, 'two', 'an entry without its variable is passed over');
    assert.equal(await find(URL_8080), undefined);
  });

  it('sends nothing of the environment where a file of the folder named the address', async () => {
    const env = { SERVICE_API_KEY: 'mine', SECRET: 'mine too' };
    await clients({
      bait: { url: 'https://evil.example/mcp', headers: { 'X-Service-API-Key': '${SECRET}' } },
    });
    assert.equal(await find('https://evil.example', { env, chosen: false }), undefined);
    assert.match(warnings.join(), /not sent to https:\/\/evil\.example.*--url/);
    assert.equal((await find('https://evil.example', { env }))?.key, 'mine', 'the person said so');
    assert.equal((await find(URL_8080, { env, chosen: false }))?.key, 'mine', 'the default address');
    assert.equal(
      await find('http://127.0.0.1:9999', { env, chosen: false }),
      undefined,
      'another process here',
    );
    await keep({ [TEAM]: { key: 'team' } });
    assert.equal((await find(TEAM, { env, chosen: false }))?.key, 'team', 'a kept key knows its address');
  });

  it('of the environment is for SERVICE_API_URL alone where that is set', async () => {
    const env = { SERVICE_API_KEY: 'team', SERVICE_API_URL: `${TEAM}/` };
    assert.equal((await find(TEAM, { env, chosen: false }))?.key, 'team');
    assert.equal(await find('https://other.example', { env }), undefined);
    assert.match(
      warnings.pop() ?? '',
      /SERVICE_API_KEY was not sent to https:\/\/other.*for https:\/\/memory/,
    );
    assert.equal(await find(URL_8080, { env }), undefined);
    assert.equal(
      (await find('https://other.example', { env, given: 'other' }))?.key,
      'other',
      'both are named',
    );
    await keep({ 'https://other.example': { key: 'kept' } });
    assert.equal((await find('https://other.example', { env }))?.key, 'kept');
  });

  it('reports faulty files, and takes no key from them', async () => {
    for (const text of ['', '{', '[]', 'null', '"x"', '\0', `{"${URL_8080}":`]) {
      await keep(text);
      assert.equal(await find(URL_8080), undefined, text);
      assert.match(warnings.pop() ?? '', /credentials\.json is damaged.*delete it/);
    }
    for (const entry of [null, 'key', [], {}, { key: 7 }, { key: null }]) {
      await keep({ [URL_8080]: entry, nonsense: { key: 'x' }, __proto__: { key: 'x' } });
      assert.equal(await find(URL_8080), undefined, JSON.stringify(entry));
    }
    for (const key of ['two words', 'line\nX-Admin: 1', 'é', ' ', 'x'.repeat(5000)]) {
      await keep({ [URL_8080]: { key } });
      await assert.rejects(find(URL_8080), (error: Failure) => {
        assert.match(error.message, /credentials\.json is not a key/);
        assert.ok(!error.message.includes(key.trim() || 'nothing'), 'the text itself is not shown');
        return true;
      });
    }
    await keep('x'.repeat(1024 * 1024 + 1));
    assert.equal(await find(URL_8080), undefined);
    assert.match(warnings.pop() ?? '', /too large/);
    for (const servers of [
      'x',
      [],
      { a: { url: 7 } },
      { a: { url: URL_8080, headers: 'x' } },
      { a: { url: 'http://u:p@127.0.0.1:8080/mcp' } },
    ])
      await home.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
    assert.deepEqual(await find('http://127.0.0.1:1'), undefined);
    await home.write('.mcp.json', '{"mcpServers":');
    assert.equal(await find('http://127.0.0.1:1'), undefined);
    assert.match(warnings.join(), /\.mcp\.json is not a JSON object/);
  });

  it('is read from files that begin with a byte order mark, as some editors write them', async () => {
    await keep(`\ufeff${JSON.stringify({ [URL_8080]: { key: 'kept' } })}`);
    assert.equal((await find(URL_8080))?.key, 'kept');
    const servers = { a: { url: `${URL_8080}/mcp`, headers: { 'X-Service-API-Key': 'near' } } };
    await home.write('.mcp.json', `\ufeff${JSON.stringify({ mcpServers: servers })}`);
    assert.equal((await find(URL_8080))?.key, 'near');
  });

  it('warns of a file that others may read, and refuses one that others may change', async () => {
    await keep({ [URL_8080]: { key: 'k' } }, 0o644);
    assert.equal((await find(URL_8080))?.key, 'k');
    assert.match(warnings.pop() ?? '', /chmod 600/);
    await keep({ [URL_8080]: { key: 'k' } }, 0o622);
    assert.equal(await find(URL_8080), undefined);
    assert.match(warnings.pop() ?? '', /can be changed by other users.*chmod 600/);
    const entry = { a: { url: `${URL_8080}/mcp`, headers: { 'X-Service-API-Key': 'written' } } };
    await clients(entry, '', 0o644);
    assert.equal((await find(URL_8080))?.key, 'written');
    assert.match(warnings.pop() ?? '', /\.mcp\.json holds a key/);
    await clients({ a: { url: '${AT}/mcp', headers: { 'X-Service-API-Key': '${K}' } } }, '', 0o644);
    assert.equal((await find(URL_8080, { env: { AT: URL_8080, K: 'v' } }))?.key, 'v');
    assert.deepEqual(warnings, [], 'a variable gives nothing away');
  });

  it('recognises a folder and a pipe', async () => {
    await mkdir(join(home.path, '.mcp.json'));
    await mkdir(kept(), { recursive: true });
    assert.equal(await find(URL_8080), undefined);
    assert.equal(warnings.length, 2, warnings.join());
    await assert.rejects(keepKey(kept(), URL_8080, 'k'), /is not a regular file/);
  });

  it('reads a key from standard input, and refuses none', async () => {
    const args = ['tools', '--key-stdin', '--url'];
    const { createServer } = await import('node:http');
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['x-service-api-key'] as string | undefined);
      const health = request.url?.endsWith('/health');
      if (!health) response.writeHead(307, { location: `http://127.0.0.1:1/stolen` });
      response.end(JSON.stringify({ server: 'service-mcp' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      const sent = await runCommand([...args, `http://127.0.0.1:${port}`], { input: 'piped-key\n' });
      assert.match(sent.stderr, /redirects to .* \(HTTP 307\)/, 'a redirect is not followed with the key');
      assert.equal(sent.code, 2);
      assert.deepEqual(seen, [undefined, 'piped-key'], 'the look at /health carries none');
      const empty = await runCommand([...args, `http://127.0.0.1:${port}`], { input: '\n' });
      assert.match(empty.stderr, /standard input is empty/);
    } finally {
      server.close();
    }
  });
});
