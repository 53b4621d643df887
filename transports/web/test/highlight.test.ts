import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as HighlightModule from '../client/src/ui/highlight.js';

const SOURCE = fileURLToPath(new URL('../../client/src/ui/highlight.ts', import.meta.url));

describe('the colours of code', () => {
  it('are left out where a line or the whole text is too long for a page', async () => {
    const { module } = await runnerImport<typeof HighlightModule>(SOURCE, { configFile: false });
    for (const text of ['let a = 1;'.repeat(1_001), 'let a = 1;\n'.repeat(30_000)])
      assert.deepEqual(await module.highlight(text, 'javascript'), [{ text, className: '' }]);
  });
});
