import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '@service-mcp/core/host';
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
});
