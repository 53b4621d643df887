import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GraphThread, RESOLVER } from '@service-mcp/plugin-graph/internals';

const MIB = 1024 * 1024;
/** Above what a deployment can set, so that the thread gets what limits keep away from it. */
const LIMITS = { timeLimitMs: 20_000, maxBytes: 256 * MIB, parseCode: true };
const SOURCES = ['a.ts', 'a.js', 'a.py', 'a.go', 'A.java', 'a.rs', 'a.c', 'a.cpp', 'a.cs', 'a.rb', 'a.php'];
const DEEP = 10_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // the function that the flag exposes
const signal = new AbortController().signal;

describe('the graph thread and hostile texts', function () {
  this.timeout(900_000);
  let thread: GraphThread;
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  before(() => (thread = new GraphThread(RESOLVER.worker, { heapMiB: 2048, idleMs: 1000 })));
  after(async () => {
    clearInterval(sampling);
    await thread.close();
  });

  /** The structure of a text in bytes; why it has none; or that it ended the thread. */
  async function outcomeOf(path: string, text: string): Promise<number | string | undefined> {
    const texts = [{ hash: path, path, language: null, text }];
    try {
      const { structures, skipped } = await thread.parse({ texts, limits: LIMITS }, signal);
      return structures.get(path)?.byteLength ?? skipped.get(path);
    } catch {
      return 'ended';
    }
  }

  const hostile: Record<string, (path: string) => string> = {
    'a line of 100 MB': () => `a = "${'x'.repeat(100e6)}"`,
    'a line of 16 MiB of code': () => 'f(1);'.repeat((16 * MIB) / 5),
    brackets: () => '('.repeat(DEEP) + ')'.repeat(DEEP),
    blocks: () => '{'.repeat(DEEP) + '}'.repeat(DEEP),
    calls: () => 'f('.repeat(DEEP) + ')'.repeat(DEEP),
    'invalid UTF-8': () => Buffer.from([0x66, 0xff, 0xfe, 0xc0, 0x80, 0x28, 0xed, 0xa0, 0x80]).toString(),
    'lone surrogates': () => 'a = "\ud800"; \udfff()',
  };

  it('gives its memory back when it is idle, and parses the next text after each of them', async () => {
    await outcomeOf('warm-up.ts', 'export const a = 1;');
    collect();
    const before = process.memoryUsage.rss();
    peak = before;
    for (const [what, textOf] of Object.entries(hostile)) {
      for (const path of what.startsWith('a line') ? ['a.js'] : SOURCES) {
        const outcome = await outcomeOf(path, textOf(path));
        assert.ok(outcome !== undefined && outcome !== 0, `${what} in ${path}`);
        assert.equal(typeof (await outcomeOf('next.ts', 'export function next() {}')), 'number', what);
      }
    }
    const most = peak;
    assert.ok(most - before > 64 * MIB, 'nothing was large');
    for (;;) {
      collect();
      const left = process.memoryUsage.rss() - before;
      if (left < (most - before) / 4) break; // the time-out of the test ends it
      await delay(200);
    }
  });
});
