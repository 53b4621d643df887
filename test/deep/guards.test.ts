import assert from 'node:assert/strict';
import { GUARDS } from './guards/guards.js';
import { scratchCopy, type Outcome, type ScratchCopy } from './guards/scratch-copy.js';

/**
 * A test that cannot fail proves nothing: each guard is removed in a copy of the build, and the test that
 * claims to cover it must fail there, and pass while the guard stands.
 */
describe('guards, each proved by taking it away', () => {
  let copy: ScratchCopy;
  let whole: Outcome;
  before(async () => {
    copy = await scratchCopy();
    whole = await copy.run(GUARDS);
  });
  after(() => copy?.remove());

  for (const guard of GUARDS) {
    const { what, file, text, by, test, titled } = guard;
    it(`${what}: proved by "${titled}" of ${test}`, async () => {
      assert.deepEqual(whole.failed(guard), [], `the test fails with the guard in place\n${whole.trouble}`);
      assert.ok(whole.passed(guard) > 0, `no test of ${test} is titled "${titled}"\n${whole.trouble}`);
      const restore = await copy.patch(file, text, by);
      try {
        const broken = await copy.run([guard]);
        const failed = broken.failed(guard);
        assert.ok(
          failed.length > 0 && !failed.some((title) => title.includes('hook')),
          `nobody notices that the guard is gone from ${file}\n${failed.join('\n')}\n${broken.trouble}`,
        );
      } finally {
        await restore();
      }
    });
  }
});
