import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keyAddress } from '#cli/connection/address.js';
import { findCredential, type Credential } from '#cli/connection/credentials.js';
import { checkKeepable, keepKey, keptKeysFile, readKeptKeys } from '#cli/connection/kept-keys.js';
import type { Failure } from '#cli/failure.js';
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
    assert.equal((await find(URL_8080, { env, chosen: false }))?.key, 'mine', 'this machine is trusted');
    await keep({ [TEAM]: { key: 'team' } });
    assert.equal((await find(TEAM, { env, chosen: false }))?.key, 'team', 'a kept key knows its address');
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

  describe('and kept', () => {
    it('for this user alone, in a folder of its own', async () => {
      assert.equal(await keepKey(kept(), URL_8080, 'k'), true);
      assert.equal((await stat(kept())).mode & 0o777, 0o600);
      assert.equal((await stat(dirname(kept()))).mode & 0o777, 0o700);
      await chmod(kept(), 0o644);
      await chmod(dirname(kept()), 0o755);
      assert.equal(await keepKey(kept(), TEAM, 't'), true);
      assert.equal((await stat(kept())).mode & 0o777, 0o600);
      assert.equal((await stat(dirname(kept()))).mode & 0o777, 0o700);
      assert.deepEqual(await readdir(dirname(kept())), ['credentials.json'], 'no draft and no lock stays');
    });

    it('without touching the stored key of an address, unless forced', async () => {
      await keep({
        'http://localhost:8080': { key: 'old', note: 'mine' },
        [TEAM]: { key: 'team', note: 'keep' },
      });
      assert.equal(await keepKey(kept(), URL_8080, 'new'), false);
      assert.equal((await find(URL_8080))?.key, 'old');
      await assert.rejects(checkKeepable(kept(), URL_8080, false), /--replace|already/);
      await checkKeepable(kept(), URL_8080, true);
      assert.equal(await keepKey(kept(), URL_8080, 'new', { replace: true }), true);
      const all = JSON.parse(await readFile(kept(), 'utf8')) as Record<string, object>;
      assert.deepEqual(Object.keys(all).sort(), [URL_8080, TEAM]);
      assert.deepEqual(all[TEAM], { key: 'team', note: 'keep' });
    });

    it('never over a damaged file', async () => {
      await keep('{"half":');
      await assert.rejects(keepKey(kept(), URL_8080, 'k', { replace: true }), /damaged/);
      assert.equal(await readFile(kept(), 'utf8'), '{"half":');
    });

    it('where a link leads, and the link stays', async () => {
      const target = join(home.path, 'dotfiles.json');
      await mkdir(dirname(kept()), { recursive: true });
      await symlink(target, kept());
      assert.equal(await keepKey(kept(), TEAM, 'a'), true, 'a link to nothing gives way to a file');
      assert.equal((await lstat(kept())).isSymbolicLink(), false);
      await home.write('dotfiles.json', '{}');
      await chmod(target, 0o600);
      const second = join(home.path, 'second', 'service-mcp', 'credentials.json');
      await mkdir(dirname(second), { recursive: true });
      await symlink(target, second);
      assert.equal(await keepKey(second, URL_8080, 'b'), true);
      assert.equal(await readlink(second), target);
      assert.equal((await readKeptKeys(target)).keys.get(URL_8080), 'b');
      await writeFile(target, 'something of the person');
      await assert.rejects(keepKey(second, TEAM, 'c'), /damaged/);
      assert.equal(await readFile(target, 'utf8'), 'something of the person');
    });

    it('by thirty writers at once, and all their keys are there; of ten for one address one wins', async () => {
      const addresses = Array.from({ length: 20 }, (_, n) => `http://127.0.0.1:${9000 + n}`);
      const same = Array.from({ length: 10 }, (_, n) => keepKey(kept(), URL_8080, `same-${n}`));
      await Promise.all(
        addresses.map((address) => keepKey(kept(), address, `of ${address}`.replace(' ', ':'))),
      );
      const won = (await Promise.all(same)).filter(Boolean);
      assert.equal(won.length, 1);
      const { keys } = await readKeptKeys(kept());
      assert.equal(keys.size, 21);
      for (const address of addresses) assert.equal(keys.get(address), `of:${address}`);
    });

    it('waits for a writer that was killed, then names its lock', async function () {
      this.timeout(15_000);
      await home.write('config/service-mcp/credentials.json.lock', '');
      await assert.rejects(keepKey(kept(), URL_8080, 'k'), /credentials\.json\.lock/);
    });
  });

  it('keeps addresses in one form', () => {
    assert.equal(keyAddress('HTTP://LocalHost:8080/'), URL_8080);
    assert.equal(keyAddress('https://[::1]'), 'https://127.0.0.1');
    assert.equal(keyAddress('http://localhost.evil.example:8080'), 'http://localhost.evil.example:8080');
    assert.equal(keyAddress('nonsense'), undefined);
    assert.equal(
      keptKeysFile({ XDG_CONFIG_HOME: 'relative', HOME: '/h' }),
      '/h/.config/service-mcp/credentials.json',
    );
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
      assert.match(
        sent.stderr,
        /redirects elsewhere \(HTTP 307\)/,
        'a redirect is not followed with the key',
      );
      assert.equal(sent.code, 2);
      assert.deepEqual(seen, [undefined, 'piped-key'], 'the look at /health carries none');
      const empty = await runCommand([...args, `http://127.0.0.1:${port}`], { input: '\n' });
      assert.match(empty.stderr, /standard input is empty/);
    } finally {
      server.close();
    }
  });
});
