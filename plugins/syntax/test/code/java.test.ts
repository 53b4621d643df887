import assert from 'node:assert/strict';
import type { code } from '@service-mcp/plugin-syntax/contract';
import { bodyOf, classMembers, lowerText, symbolMarks } from './lower-text.js';
import { call, evaluate, member, name, number, type } from './nodes.js';

const members = (text: string) => classMembers('A.java', text);

/** The statements of a method with this body. */
async function methodBody(text: string): Promise<readonly code.Statement[]> {
  const [method] = await members(`class A { void m() { ${text} } }`);
  return bodyOf(method);
}

describe('syntax: code of Java', () => {
  it('has its package and its imports', async () => {
    const { package: declared, body } = await lowerText(
      'A.java',
      'package com.acme;\nimport a.b.C;\nimport a.b.*;\nimport static a.b.C.d;\nimport static a.b.C.*;\n',
    );
    assert.equal(declared, 'com.acme');
    assert.deepEqual(body, [
      { kind: 'import', form: 'named', module: 'a.b', name: 'C', local: 'C' },
      { kind: 'import', form: 'wildcard', module: 'a.b' },
      { kind: 'import', form: 'named', module: 'a.b.C', name: 'd', local: 'd', static: true },
      { kind: 'import', form: 'wildcard', module: 'a.b.C', static: true },
    ]);
  });

  it('knows what other files see, and tests', async () => {
    const text =
      'class A { @Test void a() {} private void b() { class C { void d() {} } } protected int e() { return 1; } }';
    assert.deepEqual(await symbolMarks('A.java', text), [
      'A+',
      'A.a+ test',
      'A.b',
      'A.b.C',
      'A.b.C.d',
      'A.e+',
    ]);
  });

  it('has types with arguments and bounds, supertypes and annotations', async () => {
    const { body } = await lowerText(
      'A.java',
      '@X(Y.class) class A<T extends B & C> extends D<T> implements E.F {}',
    );
    assert.deepEqual(body, [
      {
        kind: 'class',
        class: {
          symbol: 0,
          name: 'A',
          form: 'class',
          types: [{ name: 'T', bounds: [type('B'), type('C')] }],
          supertypes: [
            { relation: 'extends', type: { ...type('D'), arguments: [type('T')] } },
            { relation: 'implements', type: type('E', 'F') },
          ],
          members: [],
          decorators: [name('X'), { kind: 'operation', of: [name('Y')] }],
        },
      },
    ]);
  });

  it('gives records their fields, accessors and constructor', async () => {
    const [x, y, accessor, constructor, own] = await members(
      'record R(int x, A... y) { int x() { return 1; } }',
    );
    assert.deepEqual(x, { kind: 'declare', name: 'x', type: type('int') });
    assert.deepEqual(y, { kind: 'declare', name: 'y', type: { kind: 'list', of: type('A') } });
    assert.ok(accessor?.kind === 'function' && accessor.function.name === 'y');
    assert.ok(constructor?.kind === 'function' && constructor.function.constructor_);
    assert.deepEqual(
      constructor.function.parameters.map(({ field, rest }) => [field, rest]),
      [
        [true, undefined],
        [true, 'list'],
      ],
    );
    assert.ok(own?.kind === 'function' && own.function.symbol !== undefined);
  });

  it('constructs the constants of an enum', async () => {
    const [plain, withBody] = await members('enum E { A(1), B { void f() {} } }');
    assert.deepEqual(plain, {
      kind: 'declare',
      name: 'A',
      type: type('E'),
      value: { ...call(name('E'), number('1')), constructs: true },
      static: true,
    });
    assert.ok(withBody?.kind === 'declare' && withBody.value?.kind === 'call');
    assert.ok(withBody.value.callee.kind === 'class');
    assert.deepEqual(withBody.value.callee.class.supertypes, [{ relation: 'extends', type: type('E') }]);
  });

  it('calls through receivers, outer objects and supertypes', async () => {
    const outer = { kind: 'cast', value: { kind: 'this' }, type: type('B') };
    const above = { kind: 'cast', value: { kind: 'super' }, type: type('B') };
    const created = { ...call(member(name('B'), 'C')), constructs: true, types: [type('D')] };
    assert.deepEqual(await methodBody('a.b().c(1); B.this.d(); B.super.e(); new B.C<D>(); o.new E();'), [
      evaluate(call(member(call(member(name('a'), 'b')), 'c'), number('1'))),
      evaluate(call(member(outer, 'd'))),
      evaluate(call(member(above, 'e'))),
      evaluate(created),
      evaluate({ ...call(member(name('o'), 'E')), constructs: true }),
    ]);
  });

  it('keeps the variables of patterns where they are visible', async () => {
    const declared = { kind: 'declare', name: 'b', type: type('B') };
    for (const guard of [
      'if (!(a instanceof B b)) return; b.c();',
      'if (a == null || !(a instanceof B b)) { d(); throw e; } b.c();',
      'if ((!(a instanceof B b) || b.d())) continue; b.c();',
      'if (!(a instanceof B b)) { if (d()) return; else { throw e; } } b.c();',
    ]) {
      const [first] = await methodBody(guard);
      assert.deepEqual(first, declared, guard);
    }
    for (const test of [
      'if (a instanceof B b) b.c();',
      'if (!(a instanceof B b)) d(); b.c();',
      'if (f || a instanceof B b) return; b.c();',
    ]) {
      const [block] = await methodBody(test);
      assert.ok(block?.kind === 'block', test);
      assert.deepEqual(block.body[0], declared);
    }
  });

  it('takes records apart by position', async () => {
    const [, branch] = await methodBody('switch (o) { case P(var x, Q(var y)) -> x.c(); default -> {} }');
    assert.ok(branch?.kind === 'branch');
    const [block] = branch.arms[0] ?? [];
    assert.ok(block?.kind === 'block');
    const record = { kind: 'cast', value: name('o'), type: type('P') };
    const inner = {
      kind: 'cast',
      value: { kind: 'index', object: record, key: number('1') },
      type: type('Q'),
    };
    assert.deepEqual(block.body.slice(0, 2), [
      { kind: 'declare', name: 'x', value: { kind: 'index', object: record, key: number('0') } },
      { kind: 'declare', name: 'y', value: { kind: 'index', object: inner, key: number('0') } },
    ]);
  });

  it('gives a switch the values of its arms', async () => {
    const [declared] = await methodBody('var a = switch (x) { case 1 -> f(); default -> { yield g(); } };');
    assert.ok(declared?.kind === 'declare' && declared.value?.kind === 'block');
    const [, , branch] = declared.value.body;
    assert.ok(branch?.kind === 'branch');
    const yielded = declared.value.value;
    assert.deepEqual(branch.arms, [
      [{ kind: 'block', body: [{ kind: 'assign', target: yielded, value: call(name('f')) }] }],
      [
        {
          kind: 'block',
          body: [{ kind: 'block', body: [{ kind: 'assign', target: yielded, value: call(name('g')) }] }],
        },
      ],
    ]);
  });

  it('closes resources', async () => {
    const [branch] = await methodBody('try (var r = open()) { r.a(); } catch (B | C e) { e.d(); }');
    const use = (object: string, method: string) => evaluate(call(member(name(object), method)));
    assert.deepEqual(branch, {
      kind: 'branch',
      arms: [
        [
          {
            kind: 'block',
            body: [
              { kind: 'declare', name: 'r', value: call(name('open')) },
              { kind: 'block', body: [use('r', 'a')] },
              use('r', 'close'),
            ],
          },
        ],
        [
          {
            kind: 'block',
            body: [
              { kind: 'declare', name: 'e', type: { kind: 'union', of: [type('B'), type('C')] } },
              { kind: 'block', body: [use('e', 'd')] },
            ],
          },
        ],
      ],
    });
  });

  it('survives texts with errors', async () => {
    const { body } = await lowerText('A.java', 'class A { void m( { a.b(; } } class { int');
    assert.ok(Array.isArray(body));
  });
});
