import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICE = fileURLToPath(new URL('misbehaving-service.js', import.meta.url));

describe('a plugin that misbehaves', () => {
  let dataDir: string;
  let service: ChildProcess;
  let url: string;
  const lines: string[] = [];
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-test-'));
    service = fork(SERVICE, [dataDir], { silent: true });
    service.stderr?.on('data', (text: Buffer) => lines.push(...text.toString().split('\n')));
    [{ url }] = (await once(service, 'message')) as [{ url: string }];
  });
  after(async () => {
    service.kill('SIGKILL');
    await rm(dataDir, { recursive: true });
  });
  const send = async (message: string) => {
    const answered = once(service, 'message');
    service.send(message);
    assert.deepEqual(await answered, [{ done: message }, undefined]);
  };
  const logged = async (...patterns: readonly RegExp[]) => {
    const found = () => lines.find((line) => patterns.every((pattern) => pattern.test(line)));
    for (let waited = 0; !found(); waited += 10) {
      if (waited > 10_000) throw new Error(`not logged: ${patterns.join(', ')}\n${lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('by a worker whose rounds fail is logged and counted', async () => {
    await logged(/"worker":"demo\.failing"/, /a round of the worker failed/);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /service_mcp_worker_failures_total\{worker="demo\.failing"\} [1-9]/);
  });

  it('by a promise that nobody handles is named and counted, and the service goes on', async () => {
    await send('demo_reject');
    await logged(/"level":50/, /"plugin":"demo"/, /left alone/);
    await logged(/"level":50/, /"plugin":"demo"/, /left by a worker/);
    await logged(
      /"level":50/,
      /"plugin":"demo"/,
      /"type":"TypeError","message":"left in a file of the plugin"/,
    );
    await logged(/"level":50/, /no error/, /plugin demo, tool demo_reject/);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /service_mcp_unhandled_rejections_total\{plugin="demo"\} 3/);
    assert.match(metrics, /service_mcp_unhandled_rejections_total\{plugin="unknown"\} 1/);
  });

  it('by a table that no migration made is told where to look', async () => {
    service.send('demo_missing'); // it fails
    await logged(/"level":50/, /"tool":"demo_missing"/, /a migration that is edited after it ran/);
  });

  it('by blocking the event loop is named', async () => {
    await send('demo_block');
    await logged(/"level":40/, /event loop was blocked/, /plugin demo, tool demo_block/);
  });

  it('by a worker that does not end is named, and the stop goes on', async () => {
    await send('stop');
    await logged(/"level":40/, /"workers":\["demo\.endless"\]/);
  });

  it('by an exception outside of a promise is named in a last line of the log, and the process ends', async () => {
    const other = fork(SERVICE, [dataDir], { silent: true });
    let text = '';
    other.stderr?.on('data', (more: Buffer) => (text += more.toString()));
    await once(other, 'message');
    const ended = once(other, 'close');
    other.send('demo_throw');
    assert.deepEqual(await ended, [1, null]);
    const parsed = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; plugin?: string; err?: { stack: string } });
    const last = parsed.at(-1);
    assert.equal(last?.level, 60);
    assert.equal(last.plugin, 'demo');
    assert.match(last.err?.stack ?? '', /misbehaving-part\.js:\d+/);
  });
});
