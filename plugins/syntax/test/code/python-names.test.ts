import { call, evaluate, name, number, string, type } from './nodes.js';
import { itLowers } from './python-statements.js';

describe('syntax: names of Python', () => {
  itLowers({
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
        { kind: 'declare', name: '__all__', value: { kind: 'list', items: [string('a'), string('b')] } },
        { kind: 'export', name: 'a', value: name('a') },
        { kind: 'export', name: 'b', value: name('b') },
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
    'loops, comprehensions and with': [
      'for a in b:\n    c()\nx = [d for e in f if g()]\nwith h() as i:\n    pass\n',
      [
        {
          kind: 'branch',
          arms: [
            [{ kind: 'each', target: name('a'), of: name('b'), declares: true }, evaluate(call(name('c')))],
          ],
          loop: true,
        },
        {
          kind: 'declare',
          name: 'x',
          value: {
            kind: 'block',
            body: [
              { kind: 'each', target: name('e'), of: name('f'), declares: true },
              evaluate(call(name('g'))),
            ],
            value: { kind: 'list', items: [name('d')] },
          },
        },
        {
          kind: 'assign',
          target: name('i'),
          value: { kind: 'enter', value: call(name('h')) },
          declares: true,
        },
      ],
    ],
    'loops that break, go on or do not end': [
      'while True:\n    break\nwhile a:\n    continue\nelse:\n    b()\n',
      [
        { kind: 'branch', arms: [[{ kind: 'leave', by: 'break' }]], loop: true, total: true },
        evaluate(name('a')),
        {
          kind: 'branch',
          arms: [[{ kind: 'leave', by: 'continue' }, evaluate(name('a'))]],
          loop: true,
          otherwise: [evaluate(call(name('b')))],
        },
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
              { kind: 'declare', name: 's', type: type('A'), narrows: {} },
              evaluate(name('A')),
              {
                kind: 'assign',
                target: name('c'),
                value: {
                  kind: 'member',
                  object: { kind: 'cast', value: name('s'), type: type('A') },
                  name: 'b',
                },
                declares: true,
              },
              {
                kind: 'assign',
                target: name('d'),
                value: { kind: 'cast', value: name('s'), type: type('A') },
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
  });
});
