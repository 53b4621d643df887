import assert from 'node:assert/strict';
import { parseInThread, type code } from '@service-mcp/plugin-syntax/contract';

const LIMITS = { timeLimitMs: 20_000, maxBytes: 1024 * 1024, parseCode: true };

async function codeOf(text: string): Promise<code.Code> {
  const { structure } = await parseInThread({ path: 'a.php', text: `<?php\n${text}`, code: true }, LIMITS);
  assert.ok(structure.code);
  return structure.code;
}

/** Without places. */
function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => (key === 'start' || key === 'line' ? undefined : part)),
  );
}

function members(statement: code.Statement | undefined): readonly code.Statement[] {
  assert.equal(statement?.kind, 'class');
  return statement.class.members;
}

describe('code of PHP', () => {
  it('reads imports with groups, kinds and aliases', async () => {
    const { body } = await codeOf(
      'use A\\{B as C, function f};\nuse const A\\X;\nrequire_once dirname(__DIR__) . "/x.php";',
    );
    const named = { kind: 'import', form: 'named', module: 'A' };
    assert.deepEqual(bare(body), [
      { ...named, name: 'B', local: 'C' },
      { ...named, name: 'f', local: 'f', static: true },
      { ...named, name: 'X', local: 'X', static: true },
      { kind: 'import', form: 'load', module: '../x.php' },
    ]);
  });

  it('takes the only namespace as the package and nests several', async () => {
    assert.equal((await codeOf('namespace A\\B; f();')).package, 'A\\B');
    assert.equal((await codeOf('namespace A { f(); }')).package, 'A');
    const several = await codeOf('namespace A; function f() {} namespace B\\C; function g() {}');
    assert.equal(several.package, undefined);
    assert.deepEqual(
      several.body.map(
        (each) => each.kind === 'class' && [each.class.form, each.class.name, each.class.members.length],
      ),
      [
        ['namespace', 'A', 1],
        ['namespace', 'B', 1],
      ],
    );
  });

  it('types what only doc comments declare', async () => {
    const { body } = await codeOf(
      'class A {\n  /** @var array<int, \\B\\C>|null */ private $c;\n  /**\n   * @param D[] $d\n   * @return ?E\n   */\n  function f($d, F $f) {}\n}',
    );
    const [field, method] = members(body[0]);
    const named = (...path: string[]): unknown => ({ kind: 'named', path });
    assert.deepEqual(bare(field), {
      kind: 'declare',
      name: '$c',
      type: { kind: 'map', key: { kind: 'other' }, of: named('', 'B', 'C') },
    });
    assert.equal(method?.kind, 'function');
    assert.deepEqual(bare(method.function.returns), named('E'));
    assert.deepEqual(bare(method.function.parameters.map(({ type }) => type)), [
      { kind: 'list', of: named('D') },
      named('F'),
    ]);
  });

  it('resolves conflicts of traits by members', async () => {
    const { body } = await codeOf('class A { use T, U { T::f insteadof U; U::f as g; } }');
    assert.deepEqual(
      members(body[0]).map((each) => each.kind === 'declare' && [each.name, bare(each.value)]),
      [
        ['f', { kind: 'member', object: { kind: 'name', name: 'T' }, name: 'f' }],
        ['g', { kind: 'member', object: { kind: 'name', name: 'U' }, name: 'f' }],
      ],
    );
  });

  it('reads deep nesting once', async () => {
    const deep = 'f('.repeat(60) + 'new class { function m() { return $a .= isset($b); } }' + ')'.repeat(60);
    const wide = '$a = new class { function m() { '.repeat(25) + '} };'.repeat(25);
    const { body } = await codeOf(`${deep};\n${wide}`);
    assert.equal(body.length, 2);
  });
});
