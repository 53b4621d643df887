import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BINARY } from '../../command.js';
import { LOCAL_DEPLOYMENT } from '../../start-service.js';

describe('threat: other users of the machine read the data folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-modes-'));
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'service.db'), '', { mode: 0o644 });
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** What it logs until it is ready; then it is stopped. */
  async function serveOnce(check: () => Promise<void>): Promise<string> {
    const args = ['serve', '--config', LOCAL_DEPLOYMENT, '--port', '0', '--data', folder, '--json'];
    const env = { ...process.env, SERVICE_LOG_LEVEL: 'warn' };
    const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(child, 'close');
    let [told, logged] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()).endsWith('\n}\n') && resolve());
      child.once('exit', () => reject(new Error(`it ended before it was ready: ${logged}`)));
    });
    try {
      await check();
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
    return logged;
  }
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  const areAllPrivate = async () => {
    assert.equal(await modeOf(folder), '700');
    for (const name of await readdir(folder)) assert.match(await modeOf(join(folder, name)), /00$/, name);
  };

  it('takes an existing folder and database away from them, and says so, once', async () => {
    const first = await serveOnce(areAllPrivate);
    assert.match(first, /it is private now/);
    assert.match(first, /0755/);
    const second = await serveOnce(areAllPrivate);
    assert.doesNotMatch(second, /private now/);
  });
});
