import assert from 'node:assert/strict';
import { GUARDS } from './guards/guards.js';
import { scratchCopy, type ScratchCopy } from './guards/scratch-copy.js';

/**
 * A test that cannot fail proves nothing: each guard is removed in a copy of the build, and the test that
 * claims to cover it must fail there, and pass while the guard stands.
 */
describe('guards, each proved by taking it away', function () {
  this.timeout(120_000);
  let copy: ScratchCopy;
  before(async () => {
    copy = await scratchCopy();
  });
  after(() => copy?.remove());

  for (const { what, file, text, by, test, titled } of GUARDS) {
    it(`${what}: proved by "${titled}" of ${test}`, async () => {
      const whole = await copy.run(test, titled);
      assert.deepEqual(whole.failed, [], `the test fails with the guard in place\n${whole.trouble}`);
      assert.ok(whole.passed > 0, `no test of ${test} is titled "${titled}"\n${whole.trouble}`);
      const restore = await copy.patch(file, text, by);
      try {
        const broken = await copy.run(test, titled);
        assert.ok(
          broken.failed.length > 0 && !broken.failed.some((title) => title.includes('hook')),
          `nobody notices that the guard is gone from ${file}\n${broken.failed.join('\n')}\n${broken.trouble}`,
        );
      } finally {
        await restore();
      }
    });
  }
});
