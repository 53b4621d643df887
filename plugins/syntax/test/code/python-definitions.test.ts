import assert from 'node:assert/strict';
import { lowerText, symbolMarks } from './lower-text.js';
import { call, evaluate, name, number, string, type } from './nodes.js';
import { itLowers } from './python-statements.js';

describe('syntax: definitions of Python', () => {
  itLowers({
    'parameters, annotations and generators': [
      'async def f(a, /, b: "List[int]" = g, *c: str, d: p.Q | None = None, **e) -> Callable[[A], B]:\n    yield h()\n',
      [
        {
          kind: 'function',
          function: {
            name: 'f',
            parameters: [
              { target: name('a') },
              { target: name('b'), type: { kind: 'list', of: type('int') }, default: name('g') },
              { target: name('c'), rest: 'list', type: type('str') },
              {
                target: name('d'),
                type: { kind: 'wrapper', of: type('p', 'Q') },
                default: { kind: 'literal', type: 'null' },
              },
              { target: name('e'), rest: 'dict' },
            ],
            returns: { kind: 'function', parameters: [type('A')], returns: type('B') },
            body: [evaluate({ kind: 'yield', value: call(name('h')) })],
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
                  decorators: [call(name('d'), number('1'))],
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
            types: [{ name: 'T', bounds: [type('B')] }],
            supertypes: [
              { relation: 'extends', type: { ...type('Base'), arguments: [type('T')] } },
              { relation: 'extends', type: type('m', 'C') },
              { relation: 'extends', type: { kind: 'other' }, value: call(name('f')) },
            ],
            members: [
              { kind: 'declare', name: 'x', type: type('T') },
              { kind: 'declare', name: 'y', type: type('int'), value: number('1'), static: true },
            ],
          },
        },
      ],
    ],
  });

  it('makes lambdas symbols of the function around them', async () => {
    const { symbols, body } = await lowerText(
      'a.py',
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
      JSON.stringify(body)
        .match(/"symbol":\d/g)
        ?.sort(),
      [0, 1, 2, 3, 4, 5].map((at) => `"symbol":${at}`),
    );
  });

  it('tells tests and what other files see', async () => {
    const text =
      'class TestA:\n    def test_b(self): pass\n    def _c(self): pass\n    def __init__(self):\n        def d(): pass\ndef testing(): pass\n';
    assert.deepEqual(await symbolMarks('a.py', text), [
      'TestA+ test',
      'TestA.test_b+ test',
      'TestA._c',
      'TestA.__init__+',
      'TestA.__init__.d',
      'testing+',
    ]);
  });
});
