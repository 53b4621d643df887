import assert from 'node:assert/strict';
import { differences, generatedSnapshots } from './generated.js';

describe('snapshots: one file a tool', () => {
  it('each is there and as its tool declares it: npm run docs writes them', async () => {
    assert.deepEqual(
      differences(await generatedSnapshots()),
      [],
      'run npm run docs, and review what changed',
    );
  });
});
