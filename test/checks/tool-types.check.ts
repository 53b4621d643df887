import assert from 'node:assert/strict';
import { differences, generatedTypes } from './generated.js';

describe("tool types: the command line's calls are typed by the generated client", () => {
  it('they are fresh: npm run docs writes them', async () => {
    assert.deepEqual(differences(await generatedTypes()), [], 'run npm run docs, and review what changed');
  });
});
