import assert from 'node:assert/strict';
import { checkCode } from './check-code.js';
import { lowerText } from './lower-text.js';

describe('syntax: code of TypeScript', () => {
  it('reads imports, exports and re-exports of modules', () =>
    checkCode('a.ts', [
      [
        '/// <reference path="b.d.ts" />\n// /// <reference path="c.d.ts" />\n"use strict";\n/// <reference path="d.d.ts" />',
        'import type load from ./b.d.ts',
      ],
      [
        "import a, * as b from './m.js'; import { c as d, type E } from '../n'; import type F from 'f'; import 'g'; import h = require('h'); import { default as i } from 'i';",
        'import default as a from ./m.js',
        'import namespace as b from ./m.js',
        'import named c as d from ../n',
        'import type named E as E from ../n',
        'import type default as F from f',
        'import load from g',
        'import namespace as h from h',
        'import default as i from i',
      ],
      [
        "export { a as b } from './m'; export * from './n'; export * as c from './o'; export { default } from './p'; export type { T } from './q';",
        'reexport named a as b from ./m',
        'reexport wildcard from ./n',
        'reexport namespace as c from ./o',
        'reexport default as default from ./p',
        'reexport type named T as T from ./q',
      ],
      [
        'const a = 1; export { a, a as default }; export const { b, c: [d] } = a; export default a;',
        "let #0 a = '1'",
        'export a = a',
        'export default = a',
        'let {b: b, c: [d]} = a',
        'export b = b',
        'export d = d',
        'export default = a',
      ],
      [
        'export default class extends A {}\nexport function f() {}\nexport default async function () {}',
        'export default = class #0 extends A {  }',
        'function #1 f() {  }',
        'export f = f',
        'export default = async function #2 () {  }',
      ],
      [
        "const a = await import('./a.js'); const { b, default: c } = await import('./b.js'); import('./c.js').then((m) => m.d);",
        'import namespace as a from ./a.js',
        'import named b as b from ./b.js',
        'import default as c from ./b.js',
        'import(./c.js).then(arrow (m) { return m.d })',
      ],
    ]));

  it('reads classes: fields, accessors, statics, private names, constructor parameters, decorators', () =>
    checkCode('a.ts', [
      [
        "class A<T extends B> extends C<T> implements D, E.F { static #a?: T = 1; readonly ['b']: X; static { init(); } constructor(private readonly c: C, public d = 2, e?: E) { super(c); this.f = e; } get g(): G { return this.#a!; } set g(v) {} async *h(): AsyncIterable<T> { yield* this.i(); } abstract j(): void; k = (x: X) => x; [Symbol.iterator]() {} }",
        "class #0 A<T: B> extends C<T> implements D implements E.F { static let #a: T = '1'; let b: X; { init() }; function #1 !constructor(field c: C, field d = '2', e: E) { new super(c); this.f = e }; get function #2 g(): G { return this.#a }; set function #3 g(v) {  }; async function* #4 h(): AsyncIterable<T> { yield* this.i() }; function #5 j(): ?; let #6 k = arrow #6 (x: X) { return x }; function #7 [Symbol.iterator]() {  } }",
      ],
      [
        'class A extends mixin(B, C)<D> { declare x: X; accessor y = 1 }',
        "class #0 A extends ? = mixin(B, C) { let x: X; let y = '1' }",
      ],
      [
        "@Injectable({ a }) class A { @Get('/') @Auth a(@Body() b: B) {} @Input() c = d; }",
        "@Injectable({a: a}) class #0 A { @Get('/') @Auth @Body() function #1 a(b: B) {  }; Input(); let c = d }",
      ],
    ]));

  it('reads types, enums and namespaces, and merges declarations', () =>
    checkCode('a.ts', [
      [
        'interface A<T> extends B, C<T> { a?: T; b<U>(x: U): x is T; (c: C): D; new (e: E): F; get g(): G; readonly h: (i: I, ...j: J[]) => K }',
        'interface #0 A<T> extends B extends C<T> { let a: T; function #1 b<U>(x: U): is T; function @call(c: C): D; function @new(e: E): F; get function #2 g(): G; let h: (I, ?(J[])) => K }',
      ],
      [
        "type A<T> = { a: T; m(): B } | string | null; type C = Map<string, D[]>['x'] & readonly [E, F?]; type G = { [k: string]: H }; type I = typeof j.k | keyof L; type M = new () => N; type O = this extends P ? Q : never;",
        'type A<T> = { let a: T; function #1 m(): B } | string',
        "type C = Map<string, D[]>['x'] & [E, F]",
        'type G = {[string]: H}',
        'type I = typeof j.k | ?(L)',
        'type M = { function @new(): N }',
        'type O = ?(this, P, Q)',
      ],
      [
        "enum A { B = 1, 'c', D = f() } namespace E.F { export const g = 1; export function h() {} } declare module 'i' { function j(): void } declare global { interface K {} }",
        "enum #0 A { static let B = '1'; static let c; static let D = f() }",
        "namespace E { namespace #1 F { let #2 g = '1'; function #3 h() {  } } }",
        'namespace #4 i { function #5 j(): ? }',
        'interface #6 K {  }',
      ],
      [
        'interface A {} interface A {} class A {} function b() {} namespace b {}',
        'interface #0 A {  }',
        'reopen interface #1 A {  }',
        'reopen class #2 A {  }',
        'function #3 b() {  }',
        'reopen namespace #4 b {  }',
      ],
    ]));

  it('reads functions, patterns and object literals', () =>
    checkCode('a.ts', [
      [
        'function f(a: string): A; function f(a: number): B; function f(this: T, { a, b: c = 1, ...d }: X, [e, , f]: Y = g, ...h: Z[]) {}',
        'function #0 f(a: string): A',
        'function #1 f(a: number): B',
        "function #2 f(this: T, {a: a, b: (c = '1'), ...*d}: X, [e, <other>, f]: Y = g, ...h: Z[]) {  }",
      ],
      [
        "const o = { a, b: c, [d]: e, 'f g': h, m() {}, get n() { return 1; }, async *p() {}, ...q, r: function s() {}, t: (u) => u, ['v']: w };",
        "let #0 o = {a: a, b: c, [d]: e, f g: h, m: function #1 () {  }, n: get function #2 () { return '1' }, p: async function* #3 () {  }, ...*q, r: function #4 s() {  }, t: arrow #5 (u) { return u }, v: w}",
      ],
    ]));

  it('reads expressions', () =>
    checkCode('a.ts', [
      [
        'let a = b as C, d = <E>f, g = h! satisfies I, i = j as const, k = l?.m?.[n]?.(p);',
        'let #0 a = (b as C)',
        'let #1 d = (f as E)',
        'let #2 g = (h satisfies I)',
        'let #3 i = j',
        'let #4 k = l.m[n](p)',
      ],
      [
        "a ??= b; c += 'd'; e.f = g; [a, b] = [b, a]; ({ x: y, z = 1 } = o); a = b = c; a++;",
        '(a | (a = b))',
        "string(c, 'd')",
        'e.f = g',
        '[a, b] = [b, a]',
        "{x: y, z: (z = '1')} = o",
        'a = (b = c)',
        'number(a)',
      ],
      [
        'a || b; a ?? b; a && b(); a ? b() : c; (a, b()); !a(); typeof b(); `x${c()}y`; tag`a${b}`; a + b(); a === b; void f();',
        '(a | b)',
        '(a | b)',
        '{ a; give b() }',
        '{ a; give (b() | c) }',
        '{ a; give b() }',
        'boolean(a())',
        'string(b())',
        'string(c())',
        'tag([<string>], b)',
        'op(a, b())',
        'boolean(a, b)',
        'null(f())',
      ],
      [
        "new A<B>(c); new (f())(); new a.B; super.m(); f<T>(...xs); a['b'](); a[b](); (function g() {})(); (() => {})();",
        'new A<B>(c)',
        'new f()()',
        'new a.B()',
        'super.m()',
        'f<T>(...xs)',
        'a.b()',
        'a[b]()',
        'function g() {  }()',
        'arrow () {  }()',
      ],
    ]));

  it('reads statements and the scopes of names', () =>
    checkCode('a.ts', [
      [
        'a || !b!(1); !!this.b!.c(); 1 + 2 * a.b!.c();',
        "(a | boolean(b('1')))",
        'boolean(boolean(this.b.c()))',
        "op('1', number('2', a.b.c()))",
      ],
      [
        'a - b!.c()[0]; !a!.b; (a - b)!.c; a ? b! : c!.d();',
        "number(a, b.c()['0'])",
        'boolean(a.b)',
        'number(a, b).c',
        '{ a; give (b | c.d()) }',
      ],
      [
        'if (a) b(); else if (c) d(); else { e(); }',
        'a',
        'total branch { b() } | { c; total branch { d() } | { { e() } } }',
      ],
      [
        'for (const [a, b] of c) d(); for (x in y) {} for await (let z of w) z(); for (let i = 0; i < n; i++) f(i); while (a()) b(); do { c(); } while (d);',
        '{ loop branch { each let [a, b] of c; d() } }',
        '{ loop branch { each keys x of y } }',
        '{ loop branch { each let z of w; z() } }',
        "{ let i = '0'; boolean(i, n); loop branch { f(i); number(i) } }",
        'a()',
        'loop branch { b() }',
        'd',
        'loop branch { { c() } }',
      ],
      [
        'switch (a()) { case B.C: d(); break; default: e(); } try { a(); } catch ({ b }) { b(); } finally { c(); } label: throw new E(); with (a) b();',
        'a()',
        'B.C',
        '{ total branch { d() } | { e() } }',
        'branch { { a() } } | { { let {b: b} = <other>; { b() } } }',
        '{ c() }',
        'new E()',
        'a',
        'b()',
      ],
    ]));

  it('narrows a variable by `instanceof`', () =>
    checkCode('a.ts', [
      [
        'if (a instanceof B) a.c(); else a.d(); a instanceof B && a.c(); x = a instanceof B ? a.c() : 1; while (a instanceof C.D && b) a.e();',
        'boolean(a, B)',
        'total branch { { let a: B; a.c() } } | { a.d() }',
        '{ boolean(a, B); give { let a: B; give a.c() } }',
        "x = { boolean(a, B); give ({ let a: B; give a.c() } | '1') }",
        '{ boolean(a, C.D); give { let a: C.D; give b } }',
        'loop branch { { let a: C.D; a.e() } }',
      ],
      [
        'function f(a) { if (!(a instanceof B)) return 0; let b = a.c(); return b; }',
        "function #0 f(a) { boolean(boolean(a, B)); branch { return '0' }; { let a: B; let b = a.c(); return b } }",
      ],
    ]));

  it('narrows a variable by what may test for its type, and nothing in JavaScript', async () => {
    await checkCode('a.ts', [
      ['if (isB(a)) a.c();', 'isB(a)', 'branch { { let a narrowed by isB 0; a.c() } }'],
      [
        'if (!m.isB(1, a)) a.c();',
        "boolean(m.isB('1', a))",
        'branch { { let a narrowed without m.isB 1; a.c() } }',
      ],
    ]);
    await checkCode('a.js', [['if (isB(a)) a.c();', 'isB(a)', 'branch { a.c() }']]);
  });

  it('awaits the result of a call with type arguments', async () => {
    const { body } = await lowerText('a.ts', 'await a<B>(1); await a.b<C>().d(); (await e)<B>();');
    const grouped = await lowerText('a.ts', 'await (a<B>(1)); await (a.b<C>().d()); ((await e))<B>();');
    assert.deepEqual(body, grouped.body);
  });

  it('reads decorators before `export`, and classes in functions', () =>
    checkCode('a.ts', [
      [
        '@Dec() export class A { m() { return class B {}; } }',
        '@Dec() class #0 A { function #1 m() { return class B {  } } }',
        'export A = A',
      ],
    ]));

  it('imports the modules that types name in place', () =>
    checkCode('a.ts', [
      [
        "let a: import('./m.js').A.B; let c: import('./m.js').C;",
        'import type namespace as import(./m.js) from ./m.js',
        'let #0 a: import(./m.js).A.B',
        'let #1 c: import(./m.js).C',
      ],
    ]));

  it('reads resources as variables', async () => {
    for (const path of ['a.ts', 'a.js'])
      await checkCode(path, [
        ['{ using a = b(); a.c(); }', '{ let a = b(); a.c() }'],
        ['async function f() { await using a = b(); }', 'async function #0 f() { let a = b() }'],
      ]);
  });
});
