import assert from 'node:assert/strict';
import { ChangeQueue } from '#cli/ingest/change-queue.js';
import { ChangeScope } from '#cli/ingest/change-scope.js';

describe('changed paths', () => {
  it('are visited with all that is below them, and with the folders above', () => {
    const scope = new ChangeScope().add('a/b/c.ts').add('d');
    for (const path of ['a/', 'a/b/', 'a/b/c.ts', 'd', 'd/', 'd/e/', 'd/e/f.ts'])
      assert.equal(scope.includes(path), true, path);
    for (const path of ['a/b/x.ts', 'a/x/', 'x', 'dd', 'a/b/c.tsx', 'b/'])
      assert.equal(scope.includes(path), false, path);
    assert.equal(ChangeScope.whole().includes('any/thing/'), true);
  });

  it('are the whole folder when they are many', async () => {
    const queue = new ChangeQueue();
    const { signal } = new AbortController();
    for (let i = 0; i < 1000; i += 1) queue.add(`${i}`);
    assert.equal((await queue.next(signal))?.isWhole, false);
    for (let i = 0; i < 1001; i += 1) queue.add(`${i}`);
    assert.equal((await queue.next(signal))?.isWhole, true);
    assert.equal(await queue.next(AbortSignal.abort()), undefined);
  });
});
