import assert from 'node:assert/strict';
import { noRules, pathMatcher } from '#cli/ingest/path-rules.js';

/** Ignore files with paths that they ignore and paths that they do not, as `git check-ignore` tells them. */
const CASES: readonly (readonly [text: string, ignored: readonly string[], taken: readonly string[]])[] = [
  ['*.log\n!keep.log', ['a.log', 'd/a.log'], ['keep.log', 'd/keep.log', 'a.logs']],
  ['/build', ['build', 'build/a'], ['src/build']],
  ['out/', ['out/a', 'd/out/a'], ['out', 'd/out']],
  ['d/*.tmp', ['d/a.tmp'], ['d/e/a.tmp', 'e/d/a.tmp']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b/c'], ['ab', 'a/xb', 'x/a/b']],
  ['**/a/**/b', ['a/b', 'x/a/y/b'], ['a/xb', 'xa/b']],
  ['**/**/[ab]', ['a', 'x/y/b'], ['ab', 'x/ab']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'x/a/b']],
  ['x/foo**/bar', ['x/foobar', 'x/foo/y/bar', 'x/fooy/bar'], ['x/fo/bar']],
  ['a**b', ['ab', 'axb', 'd/ab'], ['a/b']],
  ['[a-c]?[!x]', ['aby', 'c-z'], ['abx', 'dby', 'a/y', 'c-é']],
  ['[]x][^]a]', [']b', 'xc'], [']]', 'xa']],
  ['[[:digit:]_-]', ['1', '_', '-'], ['a', '11']],
  ['[[:nothing:]]\n[open\nend\\', [], ['n', '[open', 'end\\']],
  ['[z-a]', ['z'], ['a', 'b', '-']],
  ['\\#a\n\\!b\n\\*', ['#a', '!b', '*'], ['a', 'c']],
  ['\ufeffa\r\n#b\r\nc  \nd\\ ', ['a', 'c', 'd '], ['b', '#b', 'c  ', 'd']],
  ['ca?\n{a,b}', ['cab', '{a,b}'], ['caé', 'a', 'b']],
  ['/\n//\n!\n\n   \n\\', [], ['a', 'a/b', ' ']],
  ['A', ['A'], ['a']],
  ['a\nb', ['a', 'x\ny/b'], ['a\nb']],
];

describe('ignore patterns', () => {
  it('match as in git', () => {
    for (const [text, ignored, taken] of CASES) {
      const matches = pathMatcher([text]);
      for (const path of ignored) assert.ok(matches(path), `${JSON.stringify(text)} ignores ${path}`);
      for (const path of taken) assert.ok(!matches(path), `${JSON.stringify(text)} takes ${path}`);
    }
  });

  it('count from the folder of their file, and those of the deepest folder decide', () => {
    const rules = noRules().within('', ['*.js\n/we[i]rd/z']).within('we[i]rd', ['!a.js\n/x\n', 'y/z']);
    const ignored = (path: string) => rules.ignores(`we[i]rd/${path}`, false);
    const paths = ['a.js', 'b.js', 'x', 'd/x', 'y/z', 'd/y/z', 'd/a.js', 'd/b.js'];
    assert.deepEqual(paths.filter(ignored), ['b.js', 'x', 'y/z', 'd/b.js']);
  });

  it('end soon, whatever a repository has in its ignore files', () => {
    const deep = 'a/'.repeat(400);
    const name = 'a'.repeat(255);
    for (const pattern of [`${'**/a/'.repeat(30)}b`, `${'a/**/'.repeat(30)}b`, `${'*/'.repeat(30)}**/b`]) {
      assert.ok(!pathMatcher([pattern])(`${deep}c`), pattern);
      assert.ok(pathMatcher([pattern])(`${deep}b`), pattern);
    }
    for (const pattern of [`${'*a'.repeat(30)}*b`, `${'[a-b]*'.repeat(30)}b`, `${'?*'.repeat(30)}[b]`]) {
      assert.ok(!pathMatcher([pattern])(`${name}c`), pattern);
      assert.ok(pathMatcher([pattern])(`${name}b`), pattern);
    }
    const spaces = ' '.repeat(500_000);
    assert.ok(pathMatcher([`${spaces}a\n${'a'.repeat(500_000)}*`])(`${spaces}a`));
  });
});
