import assert from 'node:assert/strict';
import type { code } from '@service-mcp/plugin-syntax/contract';
import { functionBody, lowerText, symbolMarks } from './lower-text.js';
import { call, declare, evaluate, member, name, number, type } from './nodes.js';

const PATH = 'src/lib.rs';

/** The statements of a function with this body. */
const bodyOf = (lines: string) => functionBody(PATH, `fn outer() {\n${lines}\n}\n`);

describe('syntax: code of Rust', () => {
  it('reads groups, renames, globs and files of modules', async () => {
    const { body } = await lowerText(
      PATH,
      'use std::{io::{self, Read as R}, fmt};\nuse crate::store::*;\npub use self::inner::Thing;\nuse serde;\n' +
        'mod file;\nextern crate rand as r;\n',
    );
    const imports = body.flatMap((each) => (each.kind === 'import' ? [each] : []));
    assert.deepEqual(
      imports.map(
        ({ form, module, name: imported = '-', local = '-' }) => `${form} ${module} ${imported} ${local}`,
      ),
      [
        'named std io io',
        'named std::io Read R',
        'named std fmt fmt',
        'wildcard crate::store - -',
        'named self::inner Thing Thing',
        'namespace serde - serde',
        'namespace self::file - file',
        'namespace rand - r',
      ],
    );
  });

  it('reads the paths of inline modules from the file', async () => {
    const { body } = await lowerText(
      PATH,
      'mod a { use super::x; use self::b::y; use super::super::z; use b::w; mod b { use super::v; } }\n',
    );
    const paths: string[] = [];
    const visit = (statements: readonly code.Statement[]): void => {
      for (const each of statements) {
        if (each.kind === 'import') paths.push(`${each.module}::${each.name}`);
        if (each.kind === 'class') visit(each.class.members);
      }
    };
    visit(body);
    assert.deepEqual(paths, ['self::x', 'self::a::b::y', 'super::z', 'self::a::b::w', 'self::a::v']);
  });

  it('tells what is public and what is a test', async () => {
    const text =
      'pub fn open() {}\nfn close() {}\npub trait Shape { fn area(&self) -> f64; }\nstruct S;\n' +
      'impl Shape for S { fn area(&self) -> f64 { 1.0 } }\nimpl S { fn own(&self) {} }\n' +
      '#[tokio::test(flavor = "multi_thread")]\nasync fn works() {}\n/// #[test]\nfn not() {}\n';
    assert.deepEqual(await symbolMarks(PATH, text), [
      'open+',
      'close',
      'Shape+',
      'Shape.area+',
      'S',
      'S.area+',
      'S.own',
      'works test',
      'not',
    ]);
  });

  it('gives a variable that hides another name a name of its own', async () => {
    assert.deepEqual(await bodyOf('let store = store::open();\nlet x = 1;\nlet x = f(x);\nx.run();'), [
      declare('store~2', call(member(name('store'), 'open'))),
      declare('x', number('1')),
      declare('x~4', call(name('f'), name('x'))),
      evaluate(call(member(name('x~4'), 'run'))),
    ]);
  });

  it('binds the names of patterns to parts of the value', async () => {
    const [branch] = await bodyOf(
      'match x { Some(v) => v.a(), Err(e) => e.b(), Shape::Dot { at: (p, _), .. } => p.c(), _ => {} }',
    );
    assert.ok(branch?.kind === 'branch');
    const bound = branch.arms.map(([arm]) => (arm?.kind === 'block' ? arm.body[0] : undefined));
    const dot = { kind: 'cast', value: name('x'), type: type('Shape', 'Dot') };
    assert.deepEqual(bound, [
      declare('v', { kind: 'unwrap', value: name('x') }),
      declare('e', member(name('x'), 'Err')),
      declare('p', member(member(dot, 'at'), '0')),
      evaluate(name('x')),
    ]);
  });

  it('reads calls in the arguments of macros', async () => {
    const digit = { kind: 'literal', type: 'number' };
    assert.deepEqual(
      await bodyOf('println!("{}", s.name(a::<T>(1)?, &b[0]));\nlet v = vec![Foo::new(), c!(d())];'),
      [
        evaluate(
          call(
            name('println!'),
            { kind: 'literal', type: 'string' },
            call(
              member(name('s'), 'name'),
              { kind: 'unwrap', value: call(name('a'), digit) },
              { kind: 'index', object: name('b'), key: digit },
            ),
          ),
        ),
        declare('v', {
          kind: 'list',
          items: [call(member(name('Foo'), 'new')), call(name('c!'), call(name('d')))],
        }),
      ],
    );
  });

  it('reads what it can of broken text', async () => {
    const text = 'fn f( { }\nimpl X { fn g(&self) { h( } \nstruct S { a: Vec< }\nuse a::{b';
    const { complete, definitions, symbols } = await lowerText(PATH, text);
    assert.equal(complete, false);
    assert.equal(definitions.length, symbols.length);
  });
});
