import assert from 'node:assert/strict';
import { lowerText } from './lower-text.js';

/** `@` in a form of a language stands for what is nested in it, in the text around them for the nest. */
interface Nest {
  readonly path: string;
  readonly around: string;
  readonly forms: readonly string[];
}

/** Constructs that read a part of them twice. */
const TWICE: readonly Nest[] = [
  { path: 'a.py', around: 'x = @', forms: ['(0 < @ < 2)', '(0 in @ in 2)'] },
  { path: 'a.js', around: 'x = @;', forms: ['((@).a ??= 1)', '(a[@] ||= 1)'] },
  {
    path: 'A.java',
    around: 'class A { Object x = @; }',
    forms: ['((@).a += 1)', '(a[@] -= 1)', '(@ instanceof A(var b, var c))'],
  },
  {
    path: 'a.cs',
    around: 'class A { object x = @; }',
    forms: [
      '(a += @)',
      '((@).a -= 1)',
      '(@ is A { b: 1, c: 2 })',
      '(@ switch { { b: 1 } => 1, { c: 1 } => 2 })',
    ],
  },
  { path: 'a.ts', around: 'type A = @;', forms: ['((b: B) => b is @)'] },
  { path: 'a.rb', around: 'x = @', forms: ['((@).a += 1)', '(a[@] += 1)'] },
  {
    path: 'a.go',
    around: 'package a\nvar x = @',
    forms: ['func() { switch a := (@).(type) { case A, B: case C: default: } }'],
  },
];

/** Constructs that name their parts. The tree of a text ends at some of them, where it is too deep. */
const DEEP: readonly Nest[] = [
  {
    path: 'a.py',
    around: 'def f():\n    return @\n',
    forms: [
      '@.b()',
      '@(1)',
      '@ or b',
      '(@ if b else c)',
      '(b if @ else c)',
      '(0 < @ < 2)',
      '(lambda: @)',
      '[b for b in @]',
    ],
  },
  {
    path: 'a.php',
    around: '<?php function f() { return @; }',
    forms: ['@->b()', '@->b', '@(1)', '($a = @)', '(@ ?: 1)'],
  },
  {
    path: 'a.ts',
    around: 'function f() { return @; }',
    forms: ['@.b()', '(@ ? 1 : 2)', '(a = @)', '(() => @)', '[@]'],
  },
  {
    path: 'A.java',
    around: 'class f { Object a = @; }',
    forms: ['@.b()', '(@ ? 1 : 2)', '(a = @)', '(() -> @)'],
  },
  {
    path: 'a.cs',
    around: 'class f { object a = @; }',
    forms: ['@.b()', '(@ ? 1 : 2)', '(a = @)', '(() => @)'],
  },
  { path: 'a.rb', around: 'def f\n  @\nend', forms: ['@.b(1)', '(@ ? 1 : 2)', '(a = @)', '(-> { @ })'] },
  { path: 'a.go', around: 'package a\nfunc f() { a(@) }', forms: ['@.b()', 'a(@)', 'func() { a = @ }'] },
  { path: 'a.rs', around: 'fn f() { @ }', forms: ['@.b()', '(if @ { 1 } else { 2 })', '(a = @)', '(|| @)'] },
  {
    path: 'a.cpp',
    around: 'int f() { return @; }',
    forms: ['@.b()', '(@ ? 1 : 2)', '(a = @)', '[]{ return @; }'],
  },
];

const nest = (around: string, form: string, depth: number): string => {
  let text = 'y';
  for (let level = 0; level < depth; level += 1) text = form.replace('@', () => text);
  return around.replace('@', () => text);
};

describe('syntax: nested code', () => {
  it('grows with the text, where a part of a construct is read twice', async () => {
    for (const { path, around, forms } of TWICE)
      for (const form of forms) {
        const { length } = JSON.stringify((await lowerText(path, nest(around, form, 12))).body);
        assert.ok(length < 20_000, `${form} ${length}`);
      }
  });

  it('keeps the symbols of a text whose tree is cut off', async () => {
    for (const { path, around, forms } of DEEP)
      for (const form of forms)
        // One level more moves the place where the tree ends.
        for (const inside of ['@', '(@)']) {
          const { symbols, complete } = await lowerText(path, nest(around.replace('@', inside), form, 500));
          assert.deepEqual([symbols[0]?.name, complete], ['f', false], form);
        }
  });
});
