import assert from 'node:assert/strict';
import type { code } from '@service-mcp/plugin-syntax/contract';
import { bodyOf, classMembers, lowerText, symbolMarks } from './lower-text.js';
import { call, evaluate, member, name, number, operation, type } from './nodes.js';

const members = (text: string) => classMembers('A.cs', text);

/** The statements of a method with this body. */
async function methodBody(text: string): Promise<readonly code.Statement[]> {
  const [method] = await members(`class A { void M() { ${text} } }`);
  return bodyOf(method);
}

describe('syntax: code of C#', () => {
  it('has its namespace and its using directives', async () => {
    const { package: declared, body } = await lowerText(
      'A.cs',
      [
        'global using A.B;',
        'using static A.C;',
        'using D = A.E;',
        'using F = G<int>;',
        'namespace N.M;',
        'class X {}',
      ].join('\n'),
    );
    assert.equal(declared, 'N.M');
    assert.deepEqual(body, [
      { kind: 'import', form: 'wildcard', module: 'A.B', everywhere: true },
      { kind: 'import', form: 'wildcard', module: 'A.C', static: true },
      { kind: 'import', form: 'named', module: 'A', name: 'E', local: 'D' },
      { kind: 'alias', name: 'F', type: { ...type('G'), arguments: [type('int')] } },
      { kind: 'class', class: { symbol: 0, name: 'X', form: 'class', members: [] } },
    ]);
  });

  it('takes the only namespace of a file as its package, and several as they are', async () => {
    const one = await lowerText('A.cs', 'namespace N { class X {} }');
    assert.deepEqual([one.package, one.body[0]?.kind], ['N', 'class']);
    const two = await lowerText('A.cs', 'namespace N.M { class X {} } namespace O { }');
    assert.equal(two.package, undefined);
    const [first] = two.body;
    assert.ok(first?.kind === 'class' && first.class.form === 'namespace' && first.class.name === 'N');
    const [inner] = first.class.members;
    assert.ok(inner?.kind === 'class' && inner.class.name === 'M' && inner.class.reopens);
  });

  it('knows what other files see, and tests', async () => {
    const text = 'class A { [Fact] public void B() {} void C() {} } interface D { void E(); }';
    assert.deepEqual(await symbolMarks('A.cs', text), ['A+', 'A.B+ test', 'A.C', 'D+', 'D.E+']);
  });

  it('has supertypes, constraints and partial classes', async () => {
    const { body } = await lowerText(
      'A.cs',
      'partial class A<T> : B<T>, IC where T : D, new() {} struct S : E {} interface I : IJ {}',
    );
    const classes = body.map((each) => (each.kind === 'class' ? each.class : undefined));
    assert.deepEqual(
      classes.map((each) => each?.supertypes?.map(({ relation }) => relation)),
      [['extends', 'implements'], ['implements'], ['extends']],
    );
    assert.deepEqual(classes[0]?.types, [{ name: 'T', bounds: [type('D')] }]);
    assert.equal(classes[0]?.reopens, true);
  });

  it('has accessors where a property has bodies, and fields elsewhere', async () => {
    const found = await members(
      'class A { B P { get; set; } = new(); B Q => F(); B R { get { return r; } set => r = value; } }',
    );
    const [p, ...accessors] = found;
    assert.deepEqual(p, {
      kind: 'declare',
      symbol: 1,
      name: 'P',
      type: type('B'),
      value: { ...call(name('B')), constructs: true },
    });
    assert.deepEqual(
      accessors.map((each) => (each.kind === 'function' ? [each.function.name, each.function.accessor] : [])),
      [
        ['Q', 'get'],
        ['R', 'get'],
        ['R', 'set'],
      ],
    );
  });

  it('constructs through base, this and primary constructors', async () => {
    const [constructor] = await members('class A : B { A(int x) : base(x) {} }');
    assert.ok(constructor?.kind === 'function' && constructor.function.constructor_);
    const superCall = evaluate({ ...call({ kind: 'super' }, name('x')), constructs: true });
    assert.deepEqual(constructor.function.body, [superCall]);
    const [field, primary] = await members('record A(int x) : B(x);');
    assert.deepEqual(field, { kind: 'declare', name: 'x', type: type('int') });
    assert.ok(primary?.kind === 'function');
    assert.deepEqual(primary.function.parameters, [{ target: name('x'), type: type('int'), field: true }]);
    assert.deepEqual(primary.function.body, [superCall]);
  });

  it('has the receiver of an extension method', async () => {
    const [method] = await members('static class A { static void B(this C c, params D[] d) {} }');
    assert.ok(method?.kind === 'function' && method.function.extension);
    assert.deepEqual(method.function.receiver, { target: name('c'), type: type('C') });
    assert.deepEqual(method.function.parameters, [{ target: name('d'), type: type('D'), rest: 'list' }]);
  });

  it('tells parameters that take a variable, and members for an interface', async () => {
    const [method] = await members('class A { void B.C(ref D d, out E e) {} }');
    assert.ok(method?.kind === 'function');
    assert.deepEqual(method.function.explicit, type('B'));
    assert.deepEqual(method.function.parameters, [
      { target: name('d'), type: type('D'), reference: 'ref' },
      { target: name('e'), type: type('E'), reference: 'out' },
    ]);
  });

  it('fills a created object', async () => {
    const created = name('<created>');
    const [statement] = await methodBody('new A { B = 1, C = { D = 2 }, [3] = 4 };');
    assert.ok(statement?.kind === 'evaluate' && statement.value.kind === 'block');
    assert.deepEqual(statement.value.body.slice(1), [
      { kind: 'assign', target: member(created, 'B'), value: number('1') },
      { kind: 'assign', target: member(member(created, 'C'), 'D'), value: number('2') },
      { kind: 'assign', target: { kind: 'index', object: created, key: number('3') }, value: number('4') },
    ]);
    assert.deepEqual(await methodBody('A a = new(1);'), [
      {
        kind: 'declare',
        name: 'a',
        type: type('A'),
        value: { ...call(name('A'), number('1')), constructs: true },
      },
    ]);
  });

  it('calls members of what may be null', async () => {
    const [first] = await methodBody('a?.B?[0].C<D>();');
    assert.deepEqual(
      first,
      evaluate({
        ...call(member({ kind: 'index', object: member(name('a'), 'B'), key: number('0') }, 'C')),
        types: [type('D')],
      }),
    );
  });

  it('declares the variables of patterns and of out arguments', async () => {
    const body = await methodBody('if (a is B { C: var d } e) F(out var g);');
    const cast = { kind: 'cast', value: name('a'), type: type('B') };
    assert.deepEqual(body.slice(0, 2), [
      { kind: 'declare', name: 'e', type: type('B') },
      { kind: 'declare', name: 'd', value: member(cast, 'C') },
    ]);
    const [, , , branch] = body;
    assert.ok(branch?.kind === 'branch');
    const given = { ...call(name('F')), arguments: [{ value: name('g'), reference: 'out' as const }] };
    assert.deepEqual(branch.arms, [[{ kind: 'declare', name: 'g' }, evaluate(given)]]);
  });

  it('runs a query as loops', async () => {
    const [statement] = await methodBody('var a = from b in c where b.D() select b.E;');
    assert.ok(statement?.kind === 'declare');
    assert.deepEqual(statement.value, {
      kind: 'block',
      body: [
        { kind: 'each', target: name('b'), of: name('c'), declares: true },
        evaluate(call(member(name('b'), 'D'))),
      ],
      value: { kind: 'list', items: [member(name('b'), 'E')] },
    });
  });

  it('disposes of what it uses', async () => {
    const dispose = (object: string) => evaluate(call(member(name(object), 'Dispose')));
    const [block] = await methodBody('using (var a = B()) { a.C(); }');
    assert.ok(block?.kind === 'block');
    assert.deepEqual(block.body.at(-1), dispose('a'));
    const body = await methodBody('using var a = B(); a.C();');
    assert.deepEqual(body.at(-1), dispose('a'));
  });

  it('adds handlers to events', async () => {
    const [added, removed] = await methodBody('E += H; E -= H;');
    const of = [name('E'), name('H')];
    assert.deepEqual(added, {
      kind: 'assign',
      target: name('E'),
      value: { kind: 'choice', of: [operation('+=', of), name('H')] },
    });
    assert.deepEqual(removed, { kind: 'assign', target: name('E'), value: operation('-=', of) });
  });

  it('keeps operators, and all keys of an index', async () => {
    const [sign, step, sum, cell] = await methodBody('x = -a; a++; y = a * b; z = a[1, 2];');
    assert.deepEqual(sign?.kind === 'assign' && sign.value, {
      ...operation('-', [name('a')]),
      type: 'number',
    });
    assert.deepEqual(step, evaluate({ ...operation('++', [name('a')]), type: 'number' }));
    assert.deepEqual(sum?.kind === 'assign' && sum.value, {
      ...operation('*', [name('a'), name('b')]),
      type: 'number',
    });
    assert.deepEqual(cell?.kind === 'assign' && cell.value, {
      kind: 'index',
      object: name('a'),
      key: number('1'),
      keys: [number('2')],
    });
  });

  it('reads all branches of the preprocessor, and texts with errors', async () => {
    const found = await members('class A {\n#if X\n void B() {}\n#else\n void C() {}\n#endif\n}');
    assert.deepEqual(
      found.map((each) => (each.kind === 'function' ? each.function.name : each.kind)),
      ['B', 'C'],
    );
    const { body } = await lowerText('A.cs', 'class A { void M( { a.b(; } } class { int');
    assert.ok(Array.isArray(body));
  });
});
