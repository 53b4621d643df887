import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultTools } from './deployment.js';
import { ROOT, trackedFiles } from './repository.js';

const names = (await defaultTools()).map(({ tool }) => tool.name).filter((name) => name.includes('_'));

describe('core knows no domain', () => {
  it('its source holds no tool name of a plugin', () => {
    const tool = new RegExp(`\\b(?:${names.join('|')})\\b`);
    const found = trackedFiles()
      .filter((path) => path.startsWith('core/src/'))
      .flatMap((path) =>
        readFileSync(join(ROOT, path), 'utf8')
          .split('\n')
          .flatMap((line, at) => (tool.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
      );
    assert.deepEqual(found, []);
  });
});
