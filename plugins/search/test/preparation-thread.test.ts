import assert from 'node:assert/strict';
import { PreparationThread, type PrepareTask } from '@service-mcp/plugin-search/internals';

const WORKER = new URL('./numbered-thread.js', import.meta.url);
const signal = new AbortController().signal;
const limits = { timeLimitMs: 2000, maxBytes: 1024, parseCode: true };
const nothing: PrepareTask = { documents: [], limits, spaces: [], passages: false };
const about = {
  workspaceId: 'w',
  projectId: 'p',
  kind: 'code',
  language: null,
  title: '',
  tags: [],
  text: '',
};
const rest = { updatedAt: '2026-01-01T00:00:00.000Z', sha256: 's', revision: 1, removed: false, attempts: 1 };
const hanging = { ...nothing, documents: [{ id: 'hanging', path: 'a', ...about, ...rest }] };

describe('the preparation thread of a service that stops', () => {
  const open: PreparationThread[] = [];
  const start = (): PreparationThread => {
    const thread = new PreparationThread({}, WORKER);
    open.push(thread);
    return thread;
  };
  after(() => Promise.all(open.map((thread) => thread.close())));

  it('serves the next service of the process, one at a time', async () => {
    const [first, second] = [start(), start()];
    const one = await first.run(nothing, signal);
    assert.notDeepEqual(await second.run(nothing, signal), one, 'the first service has it');
    await first.close();
    assert.deepEqual(await start().run(nothing, signal), one);
    await assert.rejects(first.run(nothing, signal), { code: 'UNAVAILABLE' });
  });

  it('ends with its service while it is busy', async () => {
    const thread = start();
    const before = await thread.run(nothing, signal);
    const running = assert.rejects(thread.run(hanging, signal), { code: 'UNAVAILABLE' });
    await thread.close();
    await running;
    const next = start();
    assert.notDeepEqual(await next.run(nothing, signal), before);
  });
});
