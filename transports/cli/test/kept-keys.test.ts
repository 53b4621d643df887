import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { keyAddress } from '#cli/connection/address.js';
import { checkKeepable, keepKey, keptKeysFile, readKeptKeys } from '#cli/connection/kept-keys.js';
import { SETTINGS_FILES } from '#cli/setup/settings-files.js';
import { folderWith } from './support/folder.js';

const URL_8080 = 'http://127.0.0.1:8080';
const TEAM = 'https://memory.example.org';

describe('a key is kept', () => {
  let home: Awaited<ReturnType<typeof folderWith>>;
  beforeEach(async () => (home = await folderWith()));
  afterEach(() => home.remove());

  const kept = () => keptKeysFile({ XDG_CONFIG_HOME: join(home.path, 'config') });
  const write = async (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    await home.write('config/service-mcp/credentials.json', text);
    await chmod(kept(), 0o600);
  };

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
    await write({
      'http://localhost:8080': { key: 'old', note: 'mine' },
      [TEAM]: { key: 'team', note: 'keep' },
    });
    assert.equal(await keepKey(kept(), URL_8080, 'new'), false);
    assert.equal((await readKeptKeys(kept())).keys.get(URL_8080), 'old');
    await assert.rejects(checkKeepable(kept(), URL_8080, false), /--replace|already/);
    await checkKeepable(kept(), URL_8080, true);
    assert.equal(await keepKey(kept(), URL_8080, 'new', { replace: true }), true);
    const all = JSON.parse(await readFile(kept(), 'utf8')) as Record<string, object>;
    assert.deepEqual(Object.keys(all).sort(), [URL_8080, TEAM]);
    assert.deepEqual(all[TEAM], { key: 'team', note: 'keep' });
  });

  it('nowhere below a folder in which the system makes none, and the reason is said', async function () {
    if (process.platform !== 'linux') return this.skip();
    const file = keptKeysFile({ XDG_CONFIG_HOME: '/proc/none' });
    await assert.rejects(keepKey(file, URL_8080, 'k'), /\/proc\/none\/.* cannot be written/);
  });

  it('never over a damaged file', async () => {
    await write('{"half":');
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

  it('waits for a writer that was killed, then names its lock', async () => {
    await home.write('config/service-mcp/credentials.json.lock', '');
    await assert.rejects(keepKey(kept(), URL_8080, 'k'), /credentials\.json\.lock/);
  });

  it('under one form of its address', () => {
    assert.equal(keyAddress('HTTP://LocalHost:8080/'), URL_8080);
    assert.equal(keyAddress('https://[::1]'), 'https://127.0.0.1');
    assert.equal(keyAddress('http://localhost.evil.example:8080'), 'http://localhost.evil.example:8080');
    assert.equal(keyAddress('nonsense'), undefined);
    assert.equal(
      keptKeysFile({ XDG_CONFIG_HOME: 'relative', HOME: '/h' }),
      '/h/.config/service-mcp/credentials.json',
    );
    if (process.platform !== 'win32')
      assert.match(
        SETTINGS_FILES.opencode({ XDG_CONFIG_HOME: 'relative', HOME: '/h' })[0] ?? '',
        /^\/h\/\.config\/opencode/,
      );
  });

  it('below the root for a user without a home whom the system does not know, as in containers', () => {
    const { HOME } = process.env;
    const [known, unknown] = [homedir(), '/.config/service-mcp/credentials.json'];
    if (process.getuid?.() !== 0) return assert.ok(keptKeysFile({}).startsWith(known));
    delete process.env['HOME'];
    process.seteuid?.(4_000_000);
    try {
      assert.equal(keptKeysFile({}), unknown);
    } finally {
      process.seteuid?.(0);
      if (HOME !== undefined) process.env['HOME'] = HOME;
    }
  });
});
