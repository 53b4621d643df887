import assert from 'node:assert/strict';
import { lowerText } from './lower-text.js';
import { call, evaluate, member, name, number, operation, string, type } from './nodes.js';
import { itLowers } from './python-statements.js';

describe('syntax: values of Python', () => {
  itLowers({
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
    'exceptions: a class after raise is constructed': [
      'try:\n    a()\nexcept (B, c.D) as e:\n    raise E\nelse:\n    f()\nfinally:\n    g()\n',
      [
        { kind: 'branch', arms: [[evaluate(call(name('a')))]], attempt: true },
        {
          kind: 'branch',
          arms: [
            [evaluate(call(name('f')))],
            [
              {
                kind: 'assign',
                target: name('e'),
                value: {
                  kind: 'cast',
                  value: { kind: 'literal', type: 'null' },
                  type: { kind: 'union', of: [type('B'), type('c', 'D')] },
                },
                declares: true,
              },
              evaluate({ ...call(name('E')), constructs: true, implicit: true }),
              { kind: 'leave', by: 'return' },
            ],
          ],
          total: true,
          attempt: true,
        },
        evaluate(call(name('g'))),
      ],
    ],
    'operators: the container of a membership test comes first': [
      'a < b < c\nd not in e\n-f\ndel g[h], i.j\nk += l\n',
      [
        evaluate({
          kind: 'operation',
          of: [operation('<', [name('a'), name('b')]), operation('<', [name('b'), name('c')])],
        }),
        evaluate(operation('in', [name('e'), name('d')])),
        evaluate(operation('-', [name('f')])),
        evaluate(operation('del', [name('g'), name('h')])),
        evaluate(operation('del.', [name('i'), string('j')])),
        {
          kind: 'assign',
          target: name('k'),
          value: { kind: 'choice', of: [name('k'), operation('+=', [name('k'), name('l')])] },
          declares: true,
        },
      ],
    ],
    'values of conditions': [
      'x = a() and b\ny = c if d() else e\nz = super().f\n',
      [
        {
          kind: 'declare',
          name: 'x',
          value: { kind: 'block', body: [evaluate(call(name('a')))], value: name('b') },
        },
        {
          kind: 'declare',
          name: 'y',
          value: {
            kind: 'block',
            body: [evaluate(call(name('d')))],
            value: { kind: 'choice', of: [name('c'), name('e')] },
          },
        },
        {
          kind: 'declare',
          name: 'z',
          value: member({ kind: 'super', call: call(name('super')) }, 'f'),
        },
      ],
    ],
    'texts with expressions': [
      'f"{a():{b}}" "c"\n',
      [evaluate({ kind: 'operation', type: 'string', of: [call(name('a')), name('b')] })],
    ],
  });

  it('lowers texts with errors and hostile annotations', async () => {
    const broken = await lowerText('a.py', 'def f(:\n    g()\n');
    assert.equal(broken.complete, false);
    assert.match(JSON.stringify(broken.body), /"name":"g"/);
    const deep = await lowerText('a.py', `x: ${'list['.repeat(100)}int${']'.repeat(100)} = h()\n`);
    assert.match(JSON.stringify(deep.body), /"name":"h"/);
  });
});
