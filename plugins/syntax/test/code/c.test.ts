import assert from 'node:assert/strict';
import { functionBody, lowerText, symbolMarks } from './lower-text.js';
import { call, evaluate, member, name, number, operation, type } from './nodes.js';

const pointer = (of: unknown) => ({ kind: 'wrapper', of });
const address = (value: unknown) => ({ kind: 'address', value });
const made = (callee: unknown, ...values: unknown[]) => ({ ...call(callee, ...values), constructs: true });
const OTHER = { kind: 'other' };

/** The statements of a function with this body. */
const bodyOf = (path: string, text: string) => functionBody(path, `void f(void) { ${text} }`);

describe('syntax: code of C', () => {
  it('tells the two forms of includes apart', async () => {
    const { body } = await lowerText('a.c', '#include <stdio.h>\n#include "lib/a.h"\n');
    assert.deepEqual(body, [
      { kind: 'import', form: 'load', module: '<stdio.h>' },
      { kind: 'import', form: 'load', module: 'lib/a.h' },
    ]);
  });

  it('reads declarators from the inside out', async () => {
    const { body } = await lowerText(
      'a.h',
      'struct s;\nint *f(struct s *a, int (*g)(char), ...);\ntypedef int (*handler)(struct s *);\nhandler table[2], *first;\n',
    );
    const [prototype, alias, ...variables] = body;
    assert.equal(prototype?.kind, 'function');
    assert.deepEqual(
      prototype.function.parameters.map((each) => [each.target, each.type, each.rest]),
      [
        [name('a'), pointer(type('s')), undefined],
        [name('g'), pointer({ kind: 'function', parameters: [OTHER], returns: OTHER }), undefined],
        [name(''), undefined, 'list'],
      ],
    );
    assert.deepEqual(prototype.function.returns, pointer(OTHER));
    assert.equal(prototype.function.body, undefined);
    assert.ok(alias?.kind === 'alias');
    assert.deepEqual(
      alias.type,
      pointer({ kind: 'function', parameters: [pointer(type('s'))], returns: OTHER }),
    );
    assert.deepEqual(
      variables.map((each) => each.kind === 'declare' && [each.name, each.type]),
      [
        ['table', { kind: 'list', of: type('handler') }],
        ['first', pointer(type('handler'))],
      ],
    );
  });

  it('names anonymous structs by their typedef and nests the others', async () => {
    const { body, symbols } = await lowerText(
      'a.h',
      'typedef struct { int a; union { int b; }; } box;\ntypedef struct node { struct node *next; } node;\nstruct { int c; } one;\n',
    );
    const [box, node, one] = body;
    assert.ok(box?.kind === 'class' && node?.kind === 'class' && one?.kind === 'declare');
    assert.deepEqual([box.class.name, node.class.name, body.length], ['box', 'node', 3]);
    assert.deepEqual(box.class.members[1], {
      kind: 'declare',
      name: '',
      embedded: true,
      type: { kind: 'object', members: [{ kind: 'declare', name: 'b', type: OTHER }] },
    });
    assert.equal(one.type?.kind, 'object');
    assert.deepEqual(
      [box.class.symbol, node.class.symbol].map((symbol) => symbols[symbol ?? -1]?.name),
      ['box', 'node'],
    );
  });

  it('passes function pointers through initializers, fields and casts', async () => {
    const statements = await bodyOf(
      'a.c',
      'struct ops o = { .open = f, .sub[1] = &g }; (*o.open)(1); ((struct ops *) p)->open(2);',
    );
    const [declared, first, second] = statements;
    assert.ok(declared?.kind === 'declare');
    assert.deepEqual(declared.value, {
      kind: 'call',
      callee: name('ops'),
      constructs: true,
      fields: true,
      arguments: [
        { name: 'open', value: name('f') },
        { name: 'sub', value: { kind: 'object', entries: [{ key: number('1'), value: name('g') }] } },
      ],
    });
    const open = (object: unknown) => member(object, 'open');
    assert.deepEqual(first, evaluate(call(open(name('o')), number('1'))));
    const cast = { kind: 'cast', value: name('p'), type: pointer(type('ops')) };
    assert.deepEqual(second, evaluate(call(open(cast), number('2'))));
  });

  it('finds the calls in the text of a macro', async () => {
    const { body, symbols } = await lowerText(
      'a.h',
      '#define CHECK(x, f) do { if (!f(x)) s->fail(x); report(x, sizeof(x)); } while (0)\n#define LOG write_log\n',
    );
    const [check, log] = body;
    assert.ok(check?.kind === 'function');
    assert.deepEqual(check.function.body, [evaluate(call(name('report')))]);
    assert.deepEqual(log, { kind: 'declare', name: 'LOG', value: name('write_log'), symbol: 1 });
    assert.deepEqual(
      symbols.map((each) => each.name),
      ['CHECK', 'LOG'],
    );
  });

  it('hides static functions and knows both sides of a condition', async () => {
    const text =
      '#ifdef A\nstatic int f(void) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\nvoid test_g(void) {}\n';
    assert.deepEqual(await symbolMarks('a.c', text), ['f', 'g+', 'test_g+ test']);
  });
});

describe('syntax: code of C++', () => {
  it('constructs in declarations, initializers and expressions', async () => {
    const statements = await bodyOf(
      'a.cpp',
      'Foo a; Foo b(1); ns::Foo c{x}; Foo d(y); Foo *e = new Foo(z); auto g = std::make_unique<Foo>(w); std::string s; Foo *h;',
    );
    const values = statements.map((each) => each.kind === 'declare' && each.value);
    assert.deepEqual(values, [
      made(name('Foo')),
      made(name('Foo'), number('1')),
      made(member(name('ns'), 'Foo'), name('x')),
      made(name('Foo'), name('y')),
      address(made(name('Foo'), name('z'))),
      {
        kind: 'cast',
        value: made(name('Foo'), name('w')),
        type: { ...type('std', 'unique_ptr'), arguments: [type('Foo')] },
      },
      undefined,
      undefined,
    ]);
  });

  it('joins members outside of their class with it, and constructors with their initializers', async () => {
    const { body } = await lowerText(
      'a.cpp',
      'namespace n { template <class T> Box<T>::Box(T v) : Base(v), value_{v} { init(); }\nBox::~Box() {} }\n',
    );
    const [space] = body;
    assert.ok(space?.kind === 'class' && space.class.form === 'namespace');
    const [constructor_, destructor] = space.class.members;
    assert.ok(constructor_?.kind === 'function' && destructor?.kind === 'function');
    assert.deepEqual(constructor_.function.owner, { ...type('Box'), arguments: [type('T')] });
    assert.equal(constructor_.function.constructor_, true);
    assert.deepEqual(constructor_.function.types, [{ name: 'T' }]);
    const assigned = (field: string) => ({ kind: 'assign', target: name(field), value: name('v') });
    assert.deepEqual(constructor_.function.body, [
      evaluate({ ...made(name('Base'), name('v')), implicit: true }),
      assigned('Base'),
      evaluate({ ...made(name('value_'), name('v')), implicit: true }),
      assigned('value_'),
      evaluate(call(name('init'))),
    ]);
    assert.deepEqual([destructor.function.name, destructor.function.constructor_], ['~Box', undefined]);
  });

  it('hides private members and puts friends beside the class', async () => {
    const text =
      'class A { void p(); public: static int q() { return 1; } friend void swap(A &a) {} struct B { void r(); }; };';
    const { body } = await lowerText('a.cpp', text);
    assert.deepEqual(
      body.map((each) => (each.kind === 'function' ? each.function.name : each.kind)),
      ['class', 'swap'],
    );
    assert.deepEqual(await symbolMarks('a.cpp', text), ['A+', 'A.p', 'A.q+', 'A.swap+', 'A.B+', 'A.B.r+']);
  });

  it('tells a pointer from the object, and `this` from `*this`', async () => {
    const statements = await bodyOf('a.cpp', 'f(&a, this); this->g(*this); h(&this->b);');
    const self = { kind: 'this' };
    assert.deepEqual(statements, [
      evaluate(call(name('f'), address(name('a')), address(self))),
      evaluate(call(member(self, 'g'), self)),
      evaluate(call(name('h'), address(member(self, 'b')))),
    ]);
  });

  it('unwraps pointers, keeps operators and casts', async () => {
    const statements = await bodyOf(
      'a.cpp',
      'p->run(); (*p).run(); a + b; static_cast<B *>(a)->go(); std::move(a).go();',
    );
    const values = statements.map((each) => each.kind === 'evaluate' && each.value);
    const run = (pointer: object) => call(member({ kind: 'unwrap', value: name('p'), ...pointer }, 'run'));
    const go = (object: unknown) => call(member(object, 'go'));
    assert.deepEqual(values, [
      run({}),
      run({ pointer: true }),
      operation('+', [name('a'), name('b')]),
      go({
        kind: 'unwrap',
        value: { kind: 'cast', value: name('a'), type: { kind: 'list', of: type('B') } },
      }),
      go(name('a')),
    ]);
  });

  it('reads deep nesting once', async () => {
    const statements = await bodyOf('a.cpp', `x = ${'f([&] { return a + '.repeat(30)}1${'; })'.repeat(30)};`);
    assert.equal(statements.length, 1);
  });
});
