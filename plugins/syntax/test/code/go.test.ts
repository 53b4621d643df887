import assert from 'node:assert/strict';
import { functionBody, lowerText, symbolMarks } from './lower-text.js';
import { call, evaluate, name, string, type } from './nodes.js';

/** The statements of a function with this body. */
const bodyOf = (lines: string) => functionBody('p.go', `package p\nfunc f() {\n${lines}\n}\n`);

describe('syntax: code of Go', () => {
  it('reads the package and all forms of imports', async () => {
    const { package: declared, body } = await lowerText(
      'store.go',
      'package store\nimport "fmt"\nimport (\n\tm "example.com/app/model"\n\t. "math"\n\t_ "embed"\n)\n',
    );
    assert.equal(declared, 'store');
    assert.deepEqual(body, [
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
    const marks = await symbolMarks('p_test.go', text);
    assert.deepEqual(marks, [
      'Store+',
      'inner',
      'Store.Get+',
      'inner.Get',
      'Store.put',
      'TestGet+ test',
      'Testify+',
    ]);
    assert.ok((await symbolMarks('p.go', text)).every((each) => !each.endsWith('test')));
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
      evaluate(call(name('g'))),
      {
        kind: 'assign',
        target: { kind: 'tuple', items: [name('x'), name('err')] },
        value: call(name('g')),
        declares: true,
      },
    ]);
  });

  it('gives values without a type the element type around them', async () => {
    const point = (value: string) => ({
      kind: 'call',
      callee: name('Point'),
      arguments: [{ name: 'X', value: name(value) }],
      constructs: true,
    });
    const points = { kind: 'list', items: [point('a')] };
    const byKey = { kind: 'object', entries: [{ key: string('k'), value: point('b') }] };
    const element = { kind: 'wrapper', of: type('Point') };
    assert.deepEqual(await bodyOf('use([]*Point{{X: a}}, map[string]Point{"k": {X: b}})'), [
      evaluate(
        call(
          name('use'),
          { kind: 'cast', value: points, type: { kind: 'list', of: element } },
          { kind: 'cast', value: byKey, type: { kind: 'map', key: type('string'), of: type('Point') } },
        ),
      ),
    ]);
  });

  it('gives the variable of a type switch a type in each case', async () => {
    const [block] = await bodyOf('switch v := x.(type) {\ncase *A:\n\tv.Run()\ncase B, C:\ndefault:\n}');
    assert.ok(block?.kind === 'block');
    const branch = block.body.at(-1);
    assert.ok(branch?.kind === 'branch' && branch.total);
    const declared = branch.arms.map(([arm]) => (arm?.kind === 'block' ? arm.body[0] : undefined));
    assert.deepEqual(declared, [
      { kind: 'declare', name: 'v', type: { kind: 'wrapper', of: type('A') } },
      { kind: 'assign', target: name('v'), value: name('x'), declares: true },
      { kind: 'assign', target: name('v'), value: name('x'), declares: true },
    ]);
  });

  it('reads what it can of broken text', async () => {
    const text = 'package p\nfunc f( {\nfunc g() { h(\n}\ntype T struct { a []\n';
    const { complete, definitions, symbols } = await lowerText('p.go', text);
    assert.equal(complete, false);
    assert.equal(definitions.length, symbols.length);
  });
});
