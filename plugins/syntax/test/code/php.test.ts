import assert from 'node:assert/strict';
import { lowerText, membersOf } from './lower-text.js';
import { member, name, type } from './nodes.js';

const codeOf = (text: string) => lowerText('a.php', `<?php\n${text}`);

describe('syntax: code of PHP', () => {
  it('reads imports with groups, kinds and aliases', async () => {
    const { body } = await codeOf(
      'use A\\{B as C, function f};\nuse const A\\X;\nrequire_once dirname(__DIR__) . "/x.php";',
    );
    const named = { kind: 'import', form: 'named', module: 'A' };
    assert.deepEqual(body, [
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
    const [field, method] = membersOf(body[0]);
    assert.deepEqual(field, {
      kind: 'declare',
      name: '$c',
      type: { kind: 'map', key: { kind: 'other' }, of: type('', 'B', 'C') },
    });
    assert.equal(method?.kind, 'function');
    assert.deepEqual(method.function.returns, type('E'));
    assert.deepEqual(
      method.function.parameters.map(({ type }) => type),
      [{ kind: 'list', of: type('D') }, type('F')],
    );
  });

  it('resolves conflicts of traits by members', async () => {
    const { body } = await codeOf('class A { use T, U { T::f insteadof U; U::f as g; } }');
    assert.deepEqual(
      membersOf(body[0]).map((each) => each.kind === 'declare' && [each.name, each.value]),
      [
        ['f', member(name('T'), 'f')],
        ['g', member(name('U'), 'f')],
      ],
    );
  });

  it('reads deep nesting once', async () => {
    const deep = 'f('.repeat(60) + 'new class { function m() { return $a .= isset($b); } }' + ')'.repeat(60);
    const wide = '$a = new class { function m() { '.repeat(25) + '} };'.repeat(25);
    const chain = `${'$a && '.repeat(60)}$a;`;
    const { body } = await codeOf(`${deep};\n${wide}\n${chain}`);
    assert.equal(body.length, 3);
  });
});
