import assert from 'node:assert/strict';
import { differences, generatedKernels } from './generated.js';

describe('kernels: the loops that search trains with are assembled from their text', () => {
  it('they are fresh: npm run docs writes them', async () => {
    assert.deepEqual(differences(await generatedKernels()), [], 'run npm run docs, and review what changed');
  });
});
