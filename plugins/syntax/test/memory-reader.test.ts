import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import fc from 'fast-check';
import { createCursorReader, grammar, MAX_DEPTH } from '@service-mcp/plugin-syntax/internals';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const GRAMMARS: Readonly<Record<string, string>> = {
  '.c': 'c',
  '.cpp': 'cpp',
  '.cs': 'csharp',
  '.go': 'go',
  '.java': 'java',
  '.js': 'javascript',
  '.php': 'php',
  '.py': 'python',
  '.rb': 'ruby',
  '.rs': 'rust',
  '.ts': 'typescript',
  '.tsx': 'tsx',
};
const never = () => false;

/** The tree of a text by both readers. */
async function bothReaders(id: string, text: string, expired = never) {
  const { parser, readTree } = await grammar(id);
  const tree = parser.parse(text);
  assert.ok(tree);
  try {
    const byMemory = readTree(tree, expired);
    return { byMemory, byCursor: createCursorReader(tree.language)(tree, expired) };
  } finally {
    tree.delete();
  }
}

describe('syntax: trees read from the memory of the parser', () => {
  it('are read that way in every language', async () => {
    for (const id of Object.values(GRAMMARS)) {
      const { readTree } = await grammar(id);
      assert.doesNotMatch(readTree.toString(), /gotoFirstChild/, id);
    }
  });

  it('are those that its cursor gives, of whole and of mutilated sources', async () => {
    const names = (await readdir(FIXTURES, { recursive: true })).filter((name) => name.endsWith('.txt'));
    const sources = await Promise.all(
      names.map(async (name) => ({
        id: GRAMMARS[extname(name.replace(/\.txt$/, ''))],
        text: await readFile(new URL(name, FIXTURES), 'utf8'),
      })),
    );
    const known = sources.flatMap(({ id, text }) => (id === undefined ? [] : [{ id, text }]));
    assert.deepEqual(new Set(known.map(({ id }) => id)), new Set(Object.values(GRAMMARS)), 'every language');
    for (const { id, text } of known) {
      const { byMemory, byCursor } = await bothReaders(id, text);
      assert.ok(byMemory.root.children.length > 0);
      assert.deepEqual(byMemory, byCursor, id);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...known),
        fc.nat(),
        fc.nat({ max: 200 }),
        fc.constantFrom('', '{', ')', '"', '🙂漢', '\n\t', ';;', '<T>'),
        async ({ id, text }, at, length, instead) => {
          const from = at % (text.length + 1);
          const mutilated = text.slice(0, from) + instead + text.slice(from + length);
          const { byMemory, byCursor } = await bothReaders(id, mutilated);
          assert.deepEqual(byMemory, byCursor);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('are cut off alike where they are deep, and where time runs out', async () => {
    const deep = `${'('.repeat(2 * MAX_DEPTH)}1${')'.repeat(2 * MAX_DEPTH)}`;
    const { byMemory, byCursor } = await bothReaders('javascript', deep);
    assert.equal(byMemory.complete, false);
    assert.deepEqual(byMemory, byCursor);
    const long = await bothReaders('python', 'a = [1]\n'.repeat(5000), () => true);
    assert.equal(long.byMemory.complete, false);
    assert.ok(long.byMemory.root.children.length <= long.byCursor.root.children.length + 1);
  });
});
