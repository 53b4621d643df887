import assert from 'node:assert/strict';
import { differences, generatedReference, type Generated } from './generated.js';

describe('reference: docs/reference is made from the declarations', () => {
  let made: Generated;
  before(async () => {
    made = await generatedReference();
  });

  it('each page is fresh: npm run docs writes them', () => {
    assert.deepEqual(differences(made), [], 'run npm run docs, and review what changed');
  });

  it('the same declarations make the same pages', async () => {
    assert.deepEqual(await generatedReference(), made);
  });
});
