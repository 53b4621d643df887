import assert from 'node:assert/strict';
import {
  faultsOf,
  REVISIONS,
  runConformance,
  shortcomingsOf,
  type Reached,
} from '../conformance/conformance.js';

/** As the revisions say: a suite that runs fewer would pass with less. */
const REQUIRED = { '2025-11-25': 30, '2026-07-28': 37 } as const;

describe('the conformance suite of MCP for servers', () => {
  let outcomes: readonly Reached[];
  before(async () => {
    outcomes = await runConformance(() => undefined);
  });

  for (const [revision, way] of REVISIONS.flatMap((each) => [
    [each, 'straight'] as const,
    [each, 'through a gateway'] as const,
  ])) {
    it(`passes the ${REQUIRED[revision]} required scenarios of ${revision}, ${way}`, () => {
      const outcome = outcomes.find((candidate) => candidate.revision === revision && candidate.way === way);
      assert.ok(outcome);
      assert.deepEqual(shortcomingsOf(outcome), []);
      const passed = outcome.scenarios.filter(
        (scenario) => scenario.required && faultsOf(scenario).length === 0,
      );
      assert.equal(passed.length, REQUIRED[revision]);
    });
  }
});
