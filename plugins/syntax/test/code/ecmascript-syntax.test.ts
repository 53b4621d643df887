import assert from 'node:assert/strict';
import { checkCode } from './check-code.js';
import { lowerText } from './lower-text.js';

describe('syntax: what the grammars of TypeScript and JavaScript do not know', () => {
  it('reads whole what is newer than the grammar, and no less of a text that is wrong', async () => {
    for (const text of [
      "export type * from './a.js';",
      "export type * as a from './a.js';",
      "import defer * as a from './a.js';",
      'class A { accessor b = 1; static accessor #c = 2; accessor [d] = 3; accessor e: string }',
      'interface A<in T, out U, in out V = W<T>> { a: T } class B<const T extends string> {}',
      'interface A<\n  /** Input. */\n  in T,\n  // Output.\n  out U extends V = V,\n> { a: T }',
      "let a: import('./a.js').B<C<D>, () => E>; function f(a: import('./a.js').B<C>): void {}",
      'interface A {\n  (a: B): C\n  <T>(a: T): C\n\n  // d(e)\n  <T>(\n    a: T\n  ): C<T>[]\n  <const U, V>(): void\n}',
      'type A = {\n  a: B\n  /**\n   * A comment.\n   */\n  <T extends (b: C) => D>(a: T): () => E\n  f: G // h\n  <I>(): J\n}',
      'const a =\n  <const T>(b: T) =>\n  <U>(c: U) => c',
      'const a = sql<{ b: C<D>; e: string[] }>`f ${g<H>`i`}`.then();',
      'type A<B extends string> =\n  `a \\`b\\` ${B}c \\``; let d = `e \\` f`;',
      "let a: import('./a.js').B<C>[], b: import('./a.js').B[] | import('./a.js').C[][];",
    ]) {
      for (const path of ['a.ts', 'a.tsx'])
        assert.ok((await lowerText(path, text)).complete, `${path}: ${text}`);
      assert.ok(!(await lowerText('a.ts', `${text} class {`)).complete, text);
    }
    const { complete } = await lowerText(
      'a.js',
      'class A { static accessor #b = 1; m() { using c = d(); } }',
    );
    assert.ok(complete);
  });

  it('reads tagged templates with type arguments as calls', async () => {
    for (const path of ['a.ts', 'a.tsx'])
      await checkCode(path, [
        ['a<B>`c ${d}`.e();', 'a([<string>], d).e()'],
        [
          'a.b<C.D[], E<F>>`g`; a(b)<{ c: D }>`e`; await a<B>`c`;',
          'a.b([<string>])',
          'a(b)([<string>])',
          'await a([<string>])',
        ],
        [
          'const a = b < c, d = `f`; const e = `g<br>`;',
          'let #0 a = boolean(b, c)',
          "let #1 d = 'f'",
          "let #2 e = 'g<br>'",
        ],
      ]);
    await checkCode('a.tsx', [['const a = <B>c<D>`e`</D></B>;', 'let #0 a = B({children: [D({})]})']]);
  });

  it('reads names that are keywords of the grammar', async () => {
    const cases = [
      [
        'ts',
        'function a(using: b[]) { if (using.length > 0) { c(); } return using; } class D { e() {} }',
        'a D D.e',
      ],
      ['ts', 'class A { accessor(b: C) { d(); } abstract() {} e() {} }', 'A A.accessor A.abstract A.e'],
      [
        'ts',
        'class A { constructor(private accessor: B) {} c() {} } function d() {}',
        'A A.constructor A.c d',
      ],
      ['ts', 'type A = [number: B, ...string: C[]]; function d() {}', 'A d'],
      ['ts', 'function a() { for (let of = 0; of < 3; of++) b(of); } class C { d() {} }', 'a C C.d'],
      ['js', 'let using = 1; using(2); function a() {}', 'using a'],
    ] as const;
    for (const [extension, text, expected] of cases) {
      const { symbols, complete } = await lowerText(`a.${extension}`, text);
      assert.deepEqual(
        [symbols.map((each) => each.qualifiedName).join(' '), complete],
        [expected, true],
        text,
      );
    }
    await checkCode('a.ts', [
      ['function a(using: B) { using.c(); }', 'function #0 a(using: B) { using.c() }'],
      [
        '{ using a = b(); for (const using of c) d(using); }',
        '{ let a = b(); { loop branch { each let using of c; d(using) } } }',
      ],
    ]);
  });

  it('reads attributes of JSX that are keywords', async () => {
    for (const path of ['a.js', 'a.jsx', 'a.tsx'])
      await checkCode(path, [
        [
          'const a = () => <B class="c"><label for={d()} class:e={f}>g</label></B>;\nclass H { i() {} }',
          "let #0 a = arrow #0 () { return B({class: 'c', children: [op(d(), f)]}) }",
          'class #1 H { function #2 i() {  } }',
        ],
      ]);
  });

  it('reads text and attributes of JSX with `&`', async () => {
    for (const path of ['a.jsx', 'a.tsx'])
      for (const text of [
        'const a = <b>c & d && e &nbsp; {f & g} &h</b>;',
        'const a = <b c="d&e" f="?g=1&h=2">i&j</b>;',
        'const a = (b) => b & <c>d & e</c>;',
      ]) {
        assert.ok((await lowerText(path, text)).complete, `${path}: ${text}`);
        assert.ok(!(await lowerText(path, `${text} class {`)).complete, text);
      }
    await checkCode('a.jsx', [
      ['const a = <B c="d&e">{f()} & g</B>;', "let #0 a = B({c: 'd&e', children: [f()]})"],
    ]);
  });
});
