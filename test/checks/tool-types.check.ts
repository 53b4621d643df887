import assert from 'node:assert/strict';
import { differences, generatedTypes } from './generated.js';

describe('tool types: calls of the command line and the dashboard are typed by the generated client', () => {
  it('they are fresh: npm run docs writes them', async () => {
    assert.deepEqual(differences(await generatedTypes()), [], 'run npm run docs, and review what changed');
  });
});
