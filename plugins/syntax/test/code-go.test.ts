import assert from 'node:assert/strict';
import { parseInThread, type code, type Structure } from '@service-mcp/plugin-syntax/contract';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

async function parse(text: string, path = 'store.go'): Promise<Structure & { readonly code: code.Code }> {
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  assert.ok(structure.code);
  return { ...structure, code: structure.code };
}

/** The statements in the body of the only function. */
async function bodyOf(lines: string): Promise<readonly code.Statement[]> {
  const { code } = await parse(`package p\nfunc f() {\n${lines}\n}\n`);
  const [statement] = code.body;
  assert.ok(statement?.kind === 'function');
  return (statement.function.body ?? []).map(withoutPlaces);
}

/** Plain data without offsets and lines. */
function withoutPlaces<T>(value: T): T {
  const kept = (key: string, each: unknown): unknown =>
    key === 'start' || key === 'line' ? undefined : each;
  return JSON.parse(JSON.stringify(value, kept));
}

const name = (text: string): object => ({ kind: 'name', name: text });
const call = (callee: string, ...values: object[]): object => ({
  kind: 'call',
  callee: name(callee),
  arguments: values.map((value) => ({ value })),
});

describe('syntax: code of Go', () => {
  it('reads the package and all forms of imports', async () => {
    const { code } = await parse(
      'package store\nimport "fmt"\nimport (\n\tm "example.com/app/model"\n\t. "math"\n\t_ "embed"\n)\n',
    );
    assert.equal(code.package, 'store');
    assert.deepEqual(withoutPlaces(code.body), [
      { kind: 'import', module: 'fmt', form: 'namespace' },
      { kind: 'import', module: 'example.com/app/model', form: 'namespace', local: 'm' },
      { kind: 'import', module: 'math', form: 'wildcard' },
      { kind: 'import', module: 'embed', form: 'load' },
    ]);
  });

  it('tells what other files see and what is a test', async () => {
    const text =
      'package p\ntype Store struct{}\ntype inner struct{}\nfunc (s *Store) Get() {}\nfunc (inner) Get() {}\n' +
      'func (s *Store) put() {}\nfunc TestGet(t *testing.T) {}\nfunc Testify() {}\n';
    const flags = async (path: string): Promise<string[]> => {
      const { symbols, code } = await parse(text, path);
      return symbols.map(
        ({ qualifiedName }, index) =>
          `${qualifiedName}${code.definitions[index]?.exported ? '+' : ''}${code.definitions[index]?.test ? ' test' : ''}`,
      );
    };
    assert.deepEqual(await flags('p_test.go'), [
      'Store+',
      'inner',
      'Store.Get+',
      'inner.Get',
      'Store.put',
      'TestGet+ test',
      'Testify+',
    ]);
    assert.ok((await flags('p.go')).every((each) => !each.endsWith('test')));
  });

  it('gives a second value to expressions that have one on demand', async () => {
    assert.deepEqual(await bodyOf('v, ok := m[k]\na, b = b, a\n_ = g()\nx, err := g()'), [
      {
        kind: 'assign',
        target: { kind: 'tuple', items: [name('v'), name('ok')] },
        value: {
          kind: 'tuple',
          items: [
            { kind: 'index', object: name('m'), key: name('k') },
            { kind: 'literal', type: 'boolean' },
          ],
        },
        declares: true,
      },
      {
        kind: 'assign',
        target: { kind: 'tuple', items: [name('a'), name('b')] },
        value: { kind: 'tuple', items: [name('b'), name('a')] },
      },
      { kind: 'evaluate', value: call('g') },
      {
        kind: 'assign',
        target: { kind: 'tuple', items: [name('x'), name('err')] },
        value: call('g'),
        declares: true,
      },
    ]);
  });

  it('gives values without a type the element type around them', async () => {
    const point = (value: string): object => ({
      kind: 'call',
      callee: name('Point'),
      arguments: [{ name: 'X', value: name(value) }],
      constructs: true,
    });
    const type = { kind: 'named', path: ['Point'] };
    const key = { kind: 'literal', type: 'string', text: 'k' };
    assert.deepEqual(await bodyOf('use([]*Point{{X: a}}, map[string]Point{"k": {X: b}})'), [
      {
        kind: 'evaluate',
        value: call(
          'use',
          {
            kind: 'cast',
            value: { kind: 'list', items: [point('a')] },
            type: { kind: 'list', of: { kind: 'wrapper', of: type } },
          },
          {
            kind: 'cast',
            value: { kind: 'object', entries: [{ key, value: point('b') }] },
            type: { kind: 'map', key: { kind: 'named', path: ['string'] }, of: type },
          },
        ),
      },
    ]);
  });

  it('gives the variable of a type switch a type in each case', async () => {
    const [block] = await bodyOf('switch v := x.(type) {\ncase *A:\n\tv.Run()\ncase B, C:\ndefault:\n}');
    assert.ok(block?.kind === 'block');
    const branch = block.body.at(-1);
    assert.ok(branch?.kind === 'branch' && branch.total);
    const declared = branch.arms.map(([arm]) => (arm?.kind === 'block' ? arm.body[0] : undefined));
    assert.deepEqual(declared, [
      { kind: 'declare', name: 'v', type: { kind: 'wrapper', of: { kind: 'named', path: ['A'] } } },
      { kind: 'assign', target: name('v'), value: name('x'), declares: true },
      { kind: 'assign', target: name('v'), value: name('x'), declares: true },
    ]);
  });

  it('reads what it can of broken text', async () => {
    const structure = await parse('package p\nfunc f( {\nfunc g() { h(\n}\ntype T struct { a []\n');
    assert.equal(structure.complete, false);
    assert.equal(structure.code.definitions.length, structure.symbols.length);
  });
});
