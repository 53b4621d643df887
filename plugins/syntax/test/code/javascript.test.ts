import assert from 'node:assert/strict';
import { checkCode } from './check-code.js';
import { lowerText } from './lower-text.js';
import { showCode } from './show-code.js';

describe('syntax: code of JavaScript and JSX', () => {
  it('reads the forms of CommonJS, and what compilers write', () =>
    checkCode('a.js', [
      [
        "const a = require('a'), { b, c: d } = require('./b'), e = require('e').f, g = require('h').default, i = require('i')('j'), { k: [l] } = require('k');",
        'import namespace as a from a',
        'import named b as b from ./b',
        'import named c as d from ./b',
        'import named f as e from e',
        'import default as g from h',
        "let #3 i = require(i)('j')",
        'let {k: [l]} = require(k)',
      ],
      [
        "module.exports = { a, b: c, m() {} }; module.exports.d = e; exports.f = function g() {}; exports['h'] = i;",
        'export = = {a: a, b: c, m: function #0 () {  }}',
        'export d = e',
        'export f = function #1 g() {  }',
        'export h = i',
      ],
      [
        'exports = module.exports = create; exports.a = exports.b = c; const app = module.exports = {}; proto = module.exports = class {};',
        'export = = create',
        'export a = c',
        'export b = exports.a',
        'let #0 app = {}',
        'export = = app',
        'proto = class {  }',
        'export = = proto',
      ],
      [
        "Object.defineProperty(exports, '__esModule', { value: true }); Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return b.c; } }); Object.assign(exports, { d, e: f() }, g); __exportStar(require('./h'), exports); tslib_1.__exportStar(require('./i'), exports);",
        'Object.defineProperty(exports, {__esModule: <boolean>})',
        'export a = b.c',
        'export d = d',
        'export e = f()',
        'g',
        'reexport wildcard from ./h',
        'reexport wildcard from ./i',
      ],
      [
        "const a_1 = __importDefault(require('a')), b = _interopRequireWildcard(require('./b')); a_1.default();",
        'import namespace as a_1 from a',
        '__importDefault()',
        'import namespace as b from ./b',
        '_interopRequireWildcard()',
        'a_1.default()',
      ],
      [
        'function A() { this.a = 1; } A.prototype.b = function () {}; util.inherits(A, B); A.c = () => 1; module.exports.d();',
        "function #0 A() { this.a = '1' }",
        'A.prototype.b = function #1 () {  }',
        'util.inherits(A, B)',
        'A.prototype = B.prototype',
        "A.c = arrow #2 () { return '1' }",
        'exports.d()',
      ],
      [
        'A.prototype = Object.create(B.prototype, {}); Object.setPrototypeOf(A.prototype, B.prototype); Object.assign(A.prototype, { c() {} }, D); Object.assign(a, b);',
        'A.prototype = B.prototype',
        'A.prototype = B.prototype',
        'Object.assign(A.prototype, {c: function #0 () {  }}, D)',
        'Object.assign(a, b)',
      ],
      [
        'var f = async function* () { const x = yield 1; }; x => x; async x => { await x; };',
        "var #0 f = async function* #0 () { let x = yield '1' }",
        'arrow (x) { return x }',
        'async arrow (x) { await x }',
      ],
    ]));

  it('reads elements of JSX: a component is called', () =>
    checkCode('a.tsx', [
      [
        'const a = <A.B x="1" y={z} {...p} w><div onClick={f}>{g()} text {/* c */}</div><C/></A.B>;',
        "let #0 a = A.B({x: '1', y: z, ...*p, w: <boolean>, children: [op(f, g()), C({})]})",
      ],
      [
        'const a = <><B key={1}>{...xs}</B></>; const c = <T,>(x: T) => <svg:d e={x} />;',
        "let #0 a = op(B({key: '1', children: [...*xs]}))",
        'let #1 c = arrow #1 <T>(x: T) { return op(x) }',
      ],
    ]));

  it('takes the string of a constant, except where another variable has its name', async () => {
    const constant = "const K = 'b', O = { k: 'c' };";
    for (const path of ['a.ts', 'a.js'])
      for (const [text, ...expected] of [
        ['x[K](); x[O.k]();', '{ K; give x }.b()', '{ O.k; give x }.c()'],
        ['for (const K of y) x[K]();', '{ loop branch { each let K of y; x[K]() } }'],
        ['{ const [{ a: K }] = y; x[K](); }', '{ let [{a: K}] = y; x[K]() }'],
        ['((K) => x[K])();', 'arrow (K) { return x[K] }()'],
        ['((O = K) => x[O.k])(); x[O.k];', 'arrow (O = K) { return x[O.k] }()', '{ O.k; give x }.c'],
      ] as const)
        assert.deepEqual((await showCode(path, `${constant} ${text}`)).slice(2), expected, text);
  });

  it('tells what other files see', async () => {
    const exportedOf = async (path: string, text: string): Promise<string[]> => {
      const { symbols, definitions } = await lowerText(path, text);
      return symbols.filter((_, index) => definitions[index]?.exported).map((symbol) => symbol.qualifiedName);
    };
    const typescript = `class A { b() {} private c() {} #d() {} e = () => 1; }
      function f() { function g() {} }
      export namespace H { export const i = 1; const j = 2; }
      declare module 'k' { function l(): void }
      export const m = { n() {} }, o = 1;
      const p = 1, q = 2;
      export default class { r() {} }
      export { A, p as s };`;
    assert.deepEqual(await exportedOf('a.ts', typescript), [
      'A',
      'A.b',
      'A.e',
      'H',
      'H.i',
      'm',
      'm.n',
      'o',
      'p',
      'default',
      'default.r',
    ]);
    const javascript = `function A() {} A.prototype.b = function () {}; function c() {} function d() {}
      module.exports = { A, c2: c, e() {}, f: () => 1 }; exports.g = function () {}; exports.h = () => 1;`;
    assert.deepEqual(await exportedOf('a.js', javascript), ['A', 'A.b', 'c', 'e', 'f', 'g', 'h']);
    assert.deepEqual(await exportedOf('b.js', 'module.exports = function () {};'), ['default']);
    assert.deepEqual(await exportedOf('c.js', 'const $d = () => 1; export { $d };'), ['$d']);
  });

  it('lists test cases, and not suites and hooks', async () => {
    const text =
      "describe('a', () => { before(() => {}); it('b', () => {}); test.only(`c`, f); it.each([1])('d', f); });\n" +
      "it('pending'); /x/.test('e', f);\nspecify('g', () => { it('h', f); });";
    const { testCases } = await lowerText('a.test.ts', text);
    assert.deepEqual(
      testCases?.map(({ title, end }) => [title, text.slice(end - 2, end)]),
      [
        ['b', '})'],
        ['c', 'f)'],
        ['d', 'f)'],
        ['g', '})'],
        ['h', 'f)'],
      ],
    );
  });

  it('gives the lines of names, and what it can of a broken text', async () => {
    const { symbols, body } = await lowerText(
      'a.ts',
      'import { a } from "./a";\nfunction b() { a(; }\nexport const c = a();\n',
    );
    assert.ok(symbols.some(({ name }) => name === 'c'));
    assert.deepEqual(body[0], { kind: 'import', module: './a', form: 'named', name: 'a', local: 'a' });
  });
});
