import assert from 'node:assert/strict';
import { assertScores, readFixtures, uncounted } from './support/expected-edges.js';

const FIXTURES = new URL('../fixtures/cpp/', import.meta.url);

describe('graph of C++', () => {
  it('finds the edges that a reader finds', async () => {
    assertScores(await readFixtures(FIXTURES), { edges: 40, precision: 0.97, recall: 0.85 });
  });

  it('counts the calls that it cannot tell', async () => {
    for (const fixture of await readFixtures(FIXTURES))
      assert.deepEqual(uncounted(fixture), [], fixture.name);
  });
});
