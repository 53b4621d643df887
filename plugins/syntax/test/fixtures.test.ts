import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import type { Structure } from '@service-mcp/plugin-syntax/contract';
import { openSyntax, type OpenSyntax } from './open.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);

/** One line per symbol: kind, lines, qualified name, parent, signature. */
function lines({ language, complete, symbols }: Structure): string[] {
  return [
    `${language} ${complete ? 'complete' : 'incomplete'}`,
    ...symbols.map(
      ({ kind, startLine, endLine, qualifiedName, parent, signature }) =>
        `${kind} ${startLine}-${endLine} ${qualifiedName} < ${parent === null ? '-' : symbols[parent]?.qualifiedName} | ${signature}`,
    ),
  ];
}

describe('syntax: symbols of each language', () => {
  let syntax: OpenSyntax;
  before(async () => {
    syntax = await openSyntax();
  });
  after(() => syntax.close());

  it('has a fixture for each language', async () => {
    const names = (await readdir(FIXTURES)).filter((name) => name.endsWith('.txt'));
    const covered = new Set<string | null>();
    for (const name of names) {
      const path = name.replace(/\.txt$/, '');
      covered.add(syntax.languageOf(path, await readFile(new URL(name, FIXTURES), 'utf8')));
    }
    assert.deepEqual(covered, new Set(syntax.languages()));
  });

  it('gives the hand-checked symbols of every fixture', async () => {
    const names = (await readdir(FIXTURES)).filter((name) => name.endsWith('.txt'));
    for (const name of names) {
      const path = name.replace(/\.txt$/, '');
      const text = await readFile(new URL(name, FIXTURES), 'utf8');
      const expected = await readFile(new URL(`${path}.symbols`, FIXTURES), 'utf8');
      const structure = await syntax.parse({ path, text });
      assert.deepEqual(lines(structure), expected.trimEnd().split('\n'), path);
    }
  });
});
