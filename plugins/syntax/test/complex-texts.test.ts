import assert from 'node:assert/strict';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { grammar, ParseBudget, parsePreprocessed, tokenRunsOf } from '@service-mcp/plugin-syntax/internals';

const LIMITS = { timeLimitMs: 60_000, maxBytes: 1024 * 1024, parseCode: true };
const never = () => false;

describe('syntax: texts that take many steps', () => {
  it('leaves long rows of tokens without names out of the tree, and keeps the declarations beside them', async () => {
    const text = `package a\nfunc Good() {}\n${'func('.repeat(6000)}`;
    const parsed = parsePreprocessed(await grammar('go'), text, LIMITS.timeLimitMs, never);
    assert.ok(parsed);
    assert.deepEqual(tokenRunsOf(parsed.tree.rootNode), []);
    assert.equal(parsed.text.length, text.length);
    parsed.tree.delete();
    const { structure, complex } = await parseInThread({ path: 'a.go', text, code: true }, LIMITS);
    assert.deepEqual([structure.symbols.map(({ name }) => name), structure.complete], [['Good'], false]);
    assert.equal(complex, false);
  });

  it('finds such rows only in errors', async () => {
    const { parser } = await grammar('javascript');
    const rowsIn = (text: string): number[] => {
      const tree = parser.parse(text);
      assert.ok(tree);
      const rows = tokenRunsOf(tree.rootNode).map(({ start, end }) => end - start);
      tree.delete();
      return rows;
    };
    assert.deepEqual(rowsIn(`a = [${','.repeat(5000)}];`), []);
    assert.deepEqual(rowsIn(`f(${'a, '.repeat(3000)}`), []);
    const [only, another] = rowsIn('{['.repeat(3000));
    assert.deepEqual([only, another], [6000, undefined]);
  });

  it('ends a parse that takes more steps than its budget, however long it may take', async () => {
    const loaded = await grammar('javascript');
    const text = 'f(1);\n'.repeat(50_000);
    const small = new ParseBudget('');
    assert.equal(parsePreprocessed(loaded, text, Infinity, never, small), undefined);
    assert.equal(small.isSpent, true);
    loaded.parser.reset();
    const own = new ParseBudget(text);
    const parsed = parsePreprocessed(loaded, text, Infinity, never, own);
    assert.ok(parsed);
    assert.equal(own.isSpent, false);
    parsed.tree.delete();
  });
});
