import assert from 'node:assert/strict';
import type { Outcome, Ran } from './guards/guard-messages.js';
import { startGuardRunner, type GuardRunner } from './guards/guard-runner.js';
import { GUARDS, type Guard } from './guards/guards.js';

/**
 * A test that cannot fail proves nothing: each guard is removed in a copy of the build, and the test that
 * claims to cover it must fail there, and pass while the guard stands.
 */
describe('guards, each proved by taking it away', () => {
  let runner: GuardRunner;
  before(async () => {
    runner = await startGuardRunner();
  });
  after(() => runner?.end());

  for (const guard of GUARDS) {
    const { what, file, test, titled } = guard;
    it(`${what}: proved by "${titled}" of ${test}`, async () => {
      const broken = await runner.without(guard);
      const failed = failuresOf(broken, guard);
      assert.ok(
        failed.length > 0 && !failed.some(({ isHook }) => isHook),
        `nobody notices that the guard is gone from ${file}\n${titles(failed)}\n${broken.trouble}`,
      );
    });
  }

  describe('passes while all guards stand', () => {
    // Last, in the same process: what a run without a guard leaves behind fails no other.
    let whole: Outcome;
    before(async () => {
      whole = await runner.whole();
    });
    for (const guard of GUARDS) {
      const { what, test, titled } = guard;
      it(`${what}: "${titled}" of ${test}`, () => {
        const failed = failuresOf(whole, guard);
        assert.ok(
          failed.length === 0,
          `it fails with the guard in place\n${titles(failed)}\n${whole.trouble}`,
        );
        const passed = whole.passed.filter((ran) => isOf(ran, guard));
        assert.ok(passed.length > 0, `no test of ${test} is titled "${titled}"\n${whole.trouble}`);
      });
    }
  });
});

function failuresOf({ failed }: Outcome, guard: Guard): readonly Ran[] {
  return failed.filter((ran) => isOf(ran, guard) || (ran.isHook && ran.test === guard.test));
}

function isOf({ test, fullTitle }: Ran, guard: Guard): boolean {
  return test === guard.test && fullTitle.includes(guard.titled);
}

function titles(failed: readonly Ran[]): string {
  return failed.map(({ fullTitle }) => fullTitle).join('\n');
}
