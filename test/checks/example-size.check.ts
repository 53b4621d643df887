import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.js';

const EXAMPLE = join(ROOT, 'docs/guides/examples/bookmarks/src');
const TEMPLATES = join(ROOT, 'scripts/new-plugin/shared/src');
const NAMES: Readonly<Record<string, string>> = { name: 'bookmarks', snake: 'bookmarks', env: 'BOOKMARKS' };
const MAX_LINES = 265;

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

/** The lines of a file that `npm run new:plugin bookmarks` did not write into it, blank lines and imports included. */
function handWritten(file: string): string[] {
  const template = join(TEMPLATES, `${file}.template`);
  const made = existsSync(template) ? linesOf(template) : [];
  const left = made.map((line) =>
    line.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => NAMES[key] ?? key),
  );
  return linesOf(join(EXAMPLE, file)).filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

describe('the example of the guide for plugin authors', () => {
  const files = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

  it(`is a domain in at most ${MAX_LINES} hand-written lines`, () => {
    const sizes = new Map(files.map((file) => [file, handWritten(file).length]));
    const total = [...sizes.values()].reduce((sum, lines) => sum + lines, 0);
    assert.ok(total > 100, 'the example is empty');
    assert.ok(total <= MAX_LINES, `${total} lines: ${JSON.stringify([...sizes])}`);
  });

  it('begins with what new:plugin makes', () => {
    for (const file of ['index.ts', 'config.ts'])
      assert.ok(handWritten(file).length < linesOf(join(EXAMPLE, file)).length, file);
  });
});
