import assert from 'node:assert/strict';
import { parseInThread, type code, type Structure } from '@service-mcp/plugin-syntax/contract';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

async function parse(text: string): Promise<Structure & { readonly code: code.Code }> {
  const { structure } = await parseInThread({ path: 'src/lib.rs', text, code: true }, LIMITS);
  assert.ok(structure.code);
  return { ...structure, code: structure.code };
}

/** The statements in the body of the only function. */
async function bodyOf(lines: string): Promise<readonly code.Statement[]> {
  const { code } = await parse(`fn outer() {\n${lines}\n}\n`);
  const [statement] = code.body;
  assert.ok(statement?.kind === 'function');
  return (statement.function.body ?? []).map(withoutPlaces);
}

/** Plain data without offsets and lines. */
function withoutPlaces<T>(value: T): T {
  const kept = (key: string, each: unknown): unknown =>
    key === 'start' || key === 'line' ? undefined : each;
  return JSON.parse(JSON.stringify(value, kept));
}

const name = (text: string): object => ({ kind: 'name', name: text });
const member = (object: object, text: string): object => ({ kind: 'member', object, name: text });
const call = (callee: object, ...values: object[]): object => ({
  kind: 'call',
  callee,
  arguments: values.map((value) => ({ value })),
});
const declare = (text: string, value: object): object => ({ kind: 'declare', name: text, value });

describe('syntax: code of Rust', () => {
  it('reads groups, renames, globs and files of modules', async () => {
    const { code } = await parse(
      'use std::{io::{self, Read as R}, fmt};\nuse crate::store::*;\npub use self::inner::Thing;\nuse serde;\n' +
        'mod file;\nextern crate rand as r;\n',
    );
    const imports = code.body.flatMap((each) => (each.kind === 'import' ? [each] : []));
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
    const { code } = await parse(
      'mod a { use super::x; use self::b::y; use super::super::z; use b::w; mod b { use super::v; } }\n',
    );
    const paths: string[] = [];
    const visit = (statements: readonly code.Statement[]): void => {
      for (const each of statements) {
        if (each.kind === 'import') paths.push(`${each.module}::${each.name}`);
        if (each.kind === 'class') visit(each.class.members);
      }
    };
    visit(code.body);
    assert.deepEqual(paths, ['self::x', 'self::a::b::y', 'super::z', 'self::a::b::w', 'self::a::v']);
  });

  it('tells what is public and what is a test', async () => {
    const { symbols, code } = await parse(
      'pub fn open() {}\nfn close() {}\npub trait Shape { fn area(&self) -> f64; }\nstruct S;\n' +
        'impl Shape for S { fn area(&self) -> f64 { 1.0 } }\nimpl S { fn own(&self) {} }\n' +
        '#[tokio::test(flavor = "multi_thread")]\nasync fn works() {}\n/// #[test]\nfn not() {}\n',
    );
    const flags = symbols.map(
      ({ qualifiedName }, index) =>
        `${qualifiedName}${code.definitions[index]?.exported ? '+' : ''}${code.definitions[index]?.test ? ' test' : ''}`,
    );
    assert.deepEqual(flags, [
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
      declare('x', { kind: 'literal', type: 'number', text: '1' }),
      declare('x~4', call(name('f'), name('x'))),
      { kind: 'evaluate', value: call(member(name('x~4'), 'run')) },
    ]);
  });

  it('binds the names of patterns to parts of the value', async () => {
    const [branch] = await bodyOf(
      'match x { Some(v) => v.a(), Err(e) => e.b(), Shape::Dot { at: (p, _), .. } => p.c(), _ => {} }',
    );
    assert.ok(branch?.kind === 'branch');
    const bound = branch.arms.map(([arm]) => (arm?.kind === 'block' ? arm.body[0] : undefined));
    const dot = { kind: 'cast', value: name('x'), type: { kind: 'named', path: ['Shape', 'Dot'] } };
    assert.deepEqual(bound, [
      declare('v', { kind: 'unwrap', value: name('x') }),
      declare('e', member(name('x'), 'Err')),
      declare('p', member(member(dot, 'at'), '0')),
      { kind: 'evaluate', value: name('x') },
    ]);
  });

  it('reads calls in the arguments of macros', async () => {
    assert.deepEqual(
      await bodyOf('println!("{}", s.name(a::<T>(1)?, &b[0]));\nlet v = vec![Foo::new(), c!(d())];'),
      [
        {
          kind: 'evaluate',
          value: call(
            name('println!'),
            { kind: 'literal', type: 'string' },
            call(
              member(name('s'), 'name'),
              { kind: 'unwrap', value: call(name('a'), { kind: 'literal', type: 'other' }) },
              { kind: 'index', object: name('b'), key: { kind: 'literal', type: 'other' } },
            ),
          ),
        },
        declare('v', {
          kind: 'list',
          items: [call(member(name('Foo'), 'new')), call(name('c!'), call(name('d')))],
        }),
      ],
    );
  });

  it('reads what it can of broken text', async () => {
    const structure = await parse('fn f( { }\nimpl X { fn g(&self) { h( } \nstruct S { a: Vec< }\nuse a::{b');
    assert.equal(structure.complete, false);
    assert.equal(structure.code.definitions.length, structure.symbols.length);
  });
});
