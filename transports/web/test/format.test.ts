import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as FormatModule from '../client/src/ui/format.js';

const SOURCE = fileURLToPath(new URL('../../client/src/ui/format.ts', import.meta.url));
const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

describe('how long ago something was', () => {
  it('is said in the largest unit that it reaches when it is rounded', async () => {
    const {
      module: { ago },
    } = await runnerImport<typeof FormatModule>(SOURCE, { configFile: false });
    const said = (seconds: number) => ago(new Date(Date.now() - seconds * 1_000).toISOString());
    assert.deepEqual(
      [20, MINUTE, 59.2 * MINUTE, 59.8 * MINUTE, 1.4 * HOUR, 23.3 * HOUR, 23.7 * HOUR, 3 * DAY].map(said),
      [
        'just now',
        '1 minute ago',
        '59 minutes ago',
        '1 hour ago',
        '1 hour ago',
        '23 hours ago',
        'yesterday',
        '3 days ago',
      ],
    );
    assert.match(said(31 * DAY), /^\d{4}-\d\d-\d\d$/);
  });
});

describe('what waits to be indexed', () => {
  it('is files and records together', async () => {
    const {
      module: { waiting },
    } = await runnerImport<typeof FormatModule>(SOURCE, { configFile: false });
    assert.match(waiting(1), /^1 entry waiting/);
    assert.match(waiting(1_200), /^1,200 entries waiting/);
  });
});
