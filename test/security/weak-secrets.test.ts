import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTED_DEPLOYMENT } from '../start-service.js';
import { BINARY } from '../command.js';

/** Processes to kill when a test fails because one of them started. */
const started = new Set<ChildProcess>();

/** Runs `serve` of the real binary until it ends by itself. */
async function refusal(
  env: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-weak-'));
  const args = ['serve', '--config', HOSTED_DEPLOYMENT, '--port', '0', '--data', dataDir, '--json'];
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: { ...process.env, HOME: dataDir, XDG_CONFIG_HOME: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    child.kill('SIGTERM'); // it started: the test fails below, and need not wait
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return { code, out, err };
}

describe('threat: weak or default secrets', function () {
  this.timeout(60_000);
  after(() => started.forEach((child) => child.kill('SIGKILL')));

  it('the binary refuses to start, and says place, fault and remedy, without the secret', async () => {
    const weak = [
      ['short', /has 5 bytes; it needs 32/],
      ['abababababababababababababababababab', /repeated pattern/],
      ['your-256-bit-secret-your-256-bit-secret!', /common words/],
    ] as const;
    await Promise.all(
      weak.map(async ([secret, fault]) => {
        const { code, out, err } = await refusal({ SERVICE_JWT_SECRET: secret });
        assert.ok(code !== null && code !== 0, `it started with ${secret}`);
        assert.equal(out, '');
        assert.match(err, /SERVICE_JWT_SECRET \(auth\.jwt_secret\)/, 'the place');
        assert.match(err, fault);
        assert.match(err, /openssl rand/, 'the remedy');
        if (secret !== 'short') assert.ok(!err.includes(secret), 'the secret itself');
        assert.doesNotMatch(err, /\n\s+at /, 'no stack');
      }),
    );
  });
});
