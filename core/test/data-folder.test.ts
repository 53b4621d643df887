import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble, makeDataFolder } from '@service-mcp/core/host';
import { refuses } from './fixtures.js';

describe('the data folder', () => {
  const folder = (env: Record<string, string>) => assemble({}, [], [], env).dataDir;

  it('is that of SERVICE_DATA_DIR, else below XDG_DATA_HOME where that is absolute, else below the home', () => {
    const own = join(homedir(), '.local', 'share', 'service-mcp');
    assert.equal(folder({ SERVICE_DATA_DIR: '/data', XDG_DATA_HOME: '/share' }), '/data');
    assert.equal(folder({ XDG_DATA_HOME: '/share' }), '/share/service-mcp');
    assert.equal(folder({ XDG_DATA_HOME: 'share' }), own);
    assert.equal(folder({}), own);
    assert.equal(folder({ SERVICE_DATA_DIR: '' }), own);
  });

  it('is not the current folder where its name is empty, and the host is not every address', async () => {
    await refuses(
      () => assemble({ storage: { data_dir: '' } }, [], [], {}),
      /^storage\.data_dir/,
      /Change it/,
    );
    await refuses(() => assemble({ server: { host: '' } }, [], [], {}), /^server\.host/, /Change it/);
    await refuses(() => assemble({}, [], [], {}, { dataDir: '' }), /--data/, /leave it out/, /is empty/);
    await refuses(() => assemble({}, [], [], {}, { host: '' }), /--host/, /leave it out/, /is empty/);
  });

  it('is not a folder that others use: its rights stay, and only one of the service is closed', async function () {
    if (process.platform === 'win32') return this.skip(); // has no such modes
    const parent = await mkdtemp(join(tmpdir(), 'service-mcp-folders-'));
    const shared = async (name: string, mode: number, holds?: string) => {
      const path = join(parent, name);
      await mkdir(path);
      if (holds !== undefined) await writeFile(join(path, holds), '');
      await chmod(path, mode);
      return path;
    };
    try {
      for (const path of [await shared('team', 0o775, 'plan.txt'), await shared('scratch', 0o1777)]) {
        const { mode } = await stat(path);
        await refuses(async () => makeDataFolder(path), /^data folder/, /of its own.*--data/, /other users/);
        assert.equal((await stat(path)).mode, mode);
      }
      makeDataFolder(await shared('empty', 0o755));
      makeDataFolder(await shared('volume', 0o755, 'lost+found'));
      makeDataFolder(await shared('own', 0o755, 'service.db'));
      makeDataFolder(await shared('private', 0o700, 'plan.txt'));
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});
