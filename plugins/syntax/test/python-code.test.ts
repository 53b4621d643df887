import assert from 'node:assert/strict';
import { parseInThread, type Code, type Structure } from '@service-mcp/plugin-syntax/contract';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 1024 * 1024, parseCode: true };

async function structureOf(text: string, path = 'a.py'): Promise<Structure & { readonly code: Code }> {
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  assert.ok(structure.code);
  return { ...structure, code: structure.code };
}

/** The lowered statements without offsets and lines. */
async function lowered(text: string): Promise<unknown[]> {
  const { code } = await structureOf(text);
  return JSON.parse(
    JSON.stringify(code.body, (key, value: unknown) => (PLACES.has(key) ? undefined : value)),
  ) as unknown[];
}
const PLACES = new Set(['start', 'line', 'symbol']);

const name = (text: string) => ({ kind: 'name', name: text });
const named = (...path: string[]) => ({ kind: 'named', path });
const number = (text: string) => ({ kind: 'literal', type: 'number', text });
const string = (text: string) => ({ kind: 'literal', type: 'string', text });
const call = (text: string) => ({ kind: 'call', callee: name(text), arguments: [] });
const evaluate = (value: unknown) => ({ kind: 'evaluate', value });

describe('syntax: code of Python', () => {
  const cases: Record<string, [text: string, expected: unknown[]]> = {
    imports: [
      'import a.b as c, d.e\nfrom .. import x as y\nfrom .m import *\nfrom __future__ import annotations\n',
      [
        { kind: 'import', module: 'a.b', form: 'namespace', local: 'c' },
        { kind: 'import', module: 'd.e', form: 'namespace', local: 'd', root: true },
        { kind: 'import', module: '..', form: 'named', name: 'x', local: 'y' },
        { kind: 'import', module: '.m', form: 'wildcard' },
      ],
    ],
    'the names of __all__': [
      '__all__ = ["a", "b"]\n',
      [
        { kind: 'export', name: 'a', value: name('a') },
        { kind: 'export', name: 'b', value: name('b') },
        { kind: 'declare', name: '__all__', value: { kind: 'list', items: [string('a'), string('b')] } },
      ],
    ],
    'no names where __all__ is computed': [
      '__all__ = ["a", b]\n',
      [{ kind: 'declare', name: '__all__', value: { kind: 'list', items: [string('a'), name('b')] } }],
    ],
    'chained and starred assignment': [
      'a = b = c\nd, *e = f\ng.h = i[1:-2]\n',
      [
        {
          kind: 'declare',
          name: 'a',
          value: { kind: 'assign', target: name('b'), value: name('c'), declares: true },
        },
        {
          kind: 'assign',
          target: { kind: 'tuple', items: [name('d'), { kind: 'spread', of: 'list', value: name('e') }] },
          value: name('f'),
          declares: true,
        },
        {
          kind: 'assign',
          target: { kind: 'member', object: name('g'), name: 'h' },
          value: { kind: 'slice', object: name('i'), from: number('1'), to: number('-2') },
        },
      ],
    ],
    'keys of dictionaries: True is 1, "1" is not': [
      'x = {True: a, "1": b, 1.5: c}\n',
      [
        {
          kind: 'declare',
          name: 'x',
          value: {
            kind: 'object',
            entries: [
              { key: number('1'), value: name('a') },
              { key: string('1'), value: name('b') },
              { key: { kind: 'literal', type: 'number' }, value: name('c') },
            ],
          },
        },
      ],
    ],
    'global names': [
      'def f():\n    global a\n    a = 1\n    b = 2\n',
      [
        {
          kind: 'function',
          function: {
            name: 'f',
            parameters: [],
            body: [
              { kind: 'outer', names: ['a'], scope: 'file' },
              { kind: 'assign', target: name('a'), value: number('1') },
              { kind: 'declare', name: 'b', value: number('2') },
            ],
          },
        },
      ],
    ],
    'parameters, annotations and generators': [
      'async def f(a, /, b: "List[int]" = g, *c: str, d: p.Q | None = None, **e) -> Callable[[A], B]:\n    yield h()\n',
      [
        {
          kind: 'function',
          function: {
            name: 'f',
            parameters: [
              { target: name('a') },
              { target: name('b'), type: { kind: 'list', of: named('int') }, default: name('g') },
              { target: name('c'), rest: 'list', type: named('str') },
              {
                target: name('d'),
                type: { kind: 'wrapper', of: named('p', 'Q') },
                default: { kind: 'literal', type: 'null' },
              },
              { target: name('e'), rest: 'dict' },
            ],
            returns: { kind: 'function', parameters: [named('A')], returns: named('B') },
            body: [evaluate({ kind: 'yield', value: call('h') })],
            async: true,
            generator: true,
          },
        },
      ],
    ],
    'receivers, properties and other decorators': [
      'class A:\n    @staticmethod\n    def s(x): pass\n    @classmethod\n    def c(cls): pass\n    @d(1)\n    @property\n    def p(self): pass\n',
      [
        {
          kind: 'class',
          class: {
            name: 'A',
            form: 'class',
            members: [
              {
                kind: 'function',
                function: { name: 's', parameters: [{ target: name('x') }], body: [], static: true },
              },
              {
                kind: 'function',
                function: {
                  name: 'c',
                  parameters: [],
                  receiver: { target: name('cls') },
                  body: [],
                  static: true,
                },
              },
              {
                kind: 'function',
                function: {
                  name: 'p',
                  parameters: [],
                  receiver: { target: name('self') },
                  body: [],
                  accessor: 'get',
                  decorators: [{ kind: 'call', callee: name('d'), arguments: [{ value: number('1') }] }],
                },
              },
            ],
          },
        },
      ],
    ],
    'classes with type variables': [
      'T = TypeVar("T", bound=B)\nclass A(Base[T], m.C, f()):\n    x: T\n    y: int = 1\n',
      [
        {
          kind: 'declare',
          name: 'T',
          value: {
            kind: 'call',
            callee: name('TypeVar'),
            arguments: [{ value: string('T') }, { name: 'bound', value: name('B') }],
          },
        },
        {
          kind: 'class',
          class: {
            name: 'A',
            form: 'class',
            types: [{ name: 'T', bounds: [named('B')] }],
            supertypes: [
              { relation: 'extends', type: { kind: 'named', path: ['Base'], arguments: [named('T')] } },
              { relation: 'extends', type: named('m', 'C') },
              { relation: 'extends', type: { kind: 'other' }, value: call('f') },
            ],
            members: [
              { kind: 'declare', name: 'x', type: named('T') },
              { kind: 'declare', name: 'y', type: named('int'), value: number('1'), static: true },
            ],
          },
        },
      ],
    ],
    'exceptions: a class after raise is constructed': [
      'try:\n    a()\nexcept (B, c.D) as e:\n    raise E\nelse:\n    f()\nfinally:\n    g()\n',
      [
        { kind: 'branch', arms: [[evaluate(call('a'))]] },
        {
          kind: 'branch',
          arms: [
            [evaluate(call('f'))],
            [
              { kind: 'declare', name: 'e', type: { kind: 'union', of: [named('B'), named('c', 'D')] } },
              evaluate({ ...call('E'), constructs: true, implicit: true }),
            ],
          ],
          total: true,
        },
        evaluate(call('g')),
      ],
    ],
    'loops, comprehensions and with': [
      'for a in b:\n    c()\nx = [d for e in f if g()]\nwith h() as i:\n    pass\n',
      [
        {
          kind: 'branch',
          arms: [[{ kind: 'each', target: name('a'), of: name('b'), declares: true }, evaluate(call('c'))]],
          loop: true,
        },
        {
          kind: 'declare',
          name: 'x',
          value: {
            kind: 'block',
            body: [{ kind: 'each', target: name('e'), of: name('f'), declares: true }, evaluate(call('g'))],
            value: { kind: 'list', items: [name('d')] },
          },
        },
        { kind: 'assign', target: name('i'), value: { kind: 'enter', value: call('h') }, declares: true },
      ],
    ],
    'patterns of match': [
      'match s:\n    case A(b=c) as d:\n        pass\n    case [e, *f]:\n        pass\n',
      [
        evaluate(name('s')),
        {
          kind: 'branch',
          arms: [
            [
              {
                kind: 'assign',
                target: name('c'),
                value: {
                  kind: 'member',
                  object: { kind: 'cast', value: name('s'), type: named('A') },
                  name: 'b',
                },
                declares: true,
              },
              {
                kind: 'assign',
                target: name('d'),
                value: { kind: 'cast', value: name('s'), type: named('A') },
                declares: true,
              },
            ],
            [
              {
                kind: 'assign',
                target: name('e'),
                value: { kind: 'index', object: name('s'), key: number('0') },
                declares: true,
              },
              {
                kind: 'assign',
                target: name('f'),
                value: { kind: 'slice', object: name('s'), from: number('1') },
                declares: true,
              },
            ],
          ],
        },
      ],
    ],
    'values of conditions': [
      'x = a() and b\ny = c if d() else e\nz = super().f\n',
      [
        {
          kind: 'declare',
          name: 'x',
          value: { kind: 'block', body: [evaluate(call('a'))], value: name('b') },
        },
        {
          kind: 'declare',
          name: 'y',
          value: {
            kind: 'block',
            body: [evaluate(call('d'))],
            value: { kind: 'choice', of: [name('c'), name('e')] },
          },
        },
        {
          kind: 'declare',
          name: 'z',
          value: { kind: 'member', object: { kind: 'super', call: call('super') }, name: 'f' },
        },
      ],
    ],
    'texts with expressions': [
      'f"{a():{b}}" "c"\n',
      [evaluate({ kind: 'operation', type: 'string', of: [call('a'), name('b')] })],
    ],
  };

  for (const [title, [text, expected]] of Object.entries(cases)) {
    it(title, async () => assert.deepEqual(await lowered(text), expected));
  }

  it('makes lambdas symbols of the function around them', async () => {
    const { symbols, code } = await structureOf(
      'a = lambda: 0\ndef f():\n    g(lambda: 1, key=lambda: lambda: 2)\n',
    );
    assert.deepEqual(
      symbols.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`),
      [
        'variable a',
        'function <lambda>',
        'function f',
        'function f.<lambda>',
        'function f.<lambda>~2',
        'function f.<lambda>~2.<lambda>',
      ],
    );
    assert.deepEqual(
      JSON.stringify(code.body)
        .match(/"symbol":\d/g)
        ?.sort(),
      [0, 1, 2, 3, 4, 5].map((at) => `"symbol":${at}`),
    );
  });

  it('tells tests and what other files see', async () => {
    const { symbols, code } = await structureOf(
      'class TestA:\n    def test_b(self): pass\n    def _c(self): pass\n    def __init__(self):\n        def d(): pass\ndef testing(): pass\n',
    );
    const names = (key: 'test' | 'exported') =>
      symbols.filter((_, at) => code.definitions[at]?.[key]).map(({ qualifiedName }) => qualifiedName);
    assert.deepEqual(names('test'), ['TestA', 'TestA.test_b']);
    assert.deepEqual(names('exported'), ['TestA', 'TestA.test_b', 'TestA.__init__', 'testing']);
  });

  it('lowers texts with errors and hostile annotations', async () => {
    const broken = await structureOf('def f(:\n    g()\n');
    assert.equal(broken.complete, false);
    assert.match(JSON.stringify(broken.code.body), /"name":"g"/);
    const deep = await structureOf(`x: ${'list['.repeat(100)}int${']'.repeat(100)} = h()\n`);
    assert.match(JSON.stringify(deep.code.body), /"name":"h"/);
  });
});
