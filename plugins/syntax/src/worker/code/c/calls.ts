import type { Expression, Statement, Type } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { pathValue } from '../values.js';
import type { Unit } from './context.js';
import { isPrimitive } from './primitives.js';
import { argumentsOfName, lastName, nameOf, pathOf } from './names.js';

const CASTS =
  /^(?:(?:static|dynamic|const|reinterpret)_cast|(?:static|dynamic|const)_pointer_cast|any_cast)$/;
/** Functions of the standard library that return their only argument. */
const TRANSPARENT = new Set(['move', 'forward', 'ref', 'cref', 'as_const', 'addressof']);
const MAKERS = new Set(['make_unique', 'make_shared']);

export function callOf(unit: Unit, node: SyntaxNode): Expression {
  const [callee = NO_NODE, list] = [child(node, 'function'), child(node, 'arguments')];
  const args = unit.arguments(list);
  const isName = /^(?:identifier|qualified_identifier|template_function)$/.test(callee.type);
  const types = argumentsOfName(
    callee.type === 'field_expression' ? (child(callee, 'field') ?? callee) : callee,
  );
  const given = types.flatMap((each) => unit.type(each) ?? []);
  const known = isName && unit.cpp ? standard(unit, callee, args, given) : undefined;
  if (known) return known;
  const field = callee.type === 'field_expression' ? child(callee, 'field') : undefined;
  // A destructor that is called explicitly is not an edge.
  if (field && lastName(field).type === 'destructor_name') {
    return { kind: 'operation', of: [unit.expression(child(callee, 'argument') ?? NO_NODE)] };
  }
  return {
    kind: 'call',
    ...unit.lowering.at(placeOf(callee)),
    callee: unit.expression(callee),
    arguments: args,
    ...(given.length > 0 && { types: given }),
  };
}

/** Casts and functions of the standard library that make or pass on objects. */
function standard(
  unit: Unit,
  callee: SyntaxNode,
  args: ReturnType<Unit['arguments']>,
  types: readonly Type[],
): Expression | undefined {
  const path = pathOf(unit, callee);
  const last = path.at(-1) ?? '';
  const [first] = args;
  const [type] = types;
  if (CASTS.test(last) && first && type) return { kind: 'cast', value: first.value, type };
  if (path[0] !== 'std') return undefined;
  if (TRANSPARENT.has(last) && first && args.length === 1) return first.value;
  const [made] = argumentsOfName(callee);
  if (!MAKERS.has(last) || type?.kind !== 'named' || isPrimitive(type) || !made) return undefined;
  const name = child(made, 'type');
  const at = unit.lowering.at(lastName(callee));
  const value: Expression = {
    kind: 'call',
    ...at,
    callee: name ? nameOf(unit, name) : { kind: 'name', ...at, name: '' },
    arguments: args,
    constructs: true,
    ...(type.arguments && { types: type.arguments }),
  };
  const pointer = last === 'make_unique' ? 'unique_ptr' : 'shared_ptr';
  return { kind: 'cast', value, type: { kind: 'named', ...at, path: ['std', pointer], arguments: [type] } };
}

/** The name of the callee. */
function placeOf(callee: SyntaxNode): SyntaxNode {
  const field = callee.type === 'field_expression' ? child(callee, 'field') : undefined;
  return lastName(field ?? callee);
}

/** Calls in the text of a macro, which the grammar leaves unparsed: `helper(a)`, `Store::open(a)`, not `a.helper(b)`. */
export function macroBody(unit: Unit, node: SyntaxNode): Statement[] {
  const value = child(node, 'value');
  if (!value) return [];
  const text = unit.lowering.textOf(value).slice(0, MAX_MACRO);
  const parameters = new Set(
    named(child(node, 'parameters') ?? NO_NODE).map((each) => unit.lowering.textOf(each)),
  );
  const self = child(node, 'name');
  if (self) parameters.add(unit.lowering.textOf(self));
  return Array.from(text.matchAll(CALL_IN_TEXT)).flatMap(({ 1: name = '', index }): Statement[] => {
    const path = name.split('::');
    if (path.some((each) => parameters.has(each) || NOT_CALLED.has(each))) return [];
    const at = unit.lowering.at({ ...value, start: value.start + index });
    return [
      {
        kind: 'evaluate',
        value: { kind: 'call', ...at, callee: pathValue(path, at), arguments: [] },
      },
    ];
  });
}

/** Longer macros are tables. */
const MAX_MACRO = 10_000;
const CALL_IN_TEXT = /(?<![\w.>#:"'])((?:::)?(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)\s*(?=\()/g;
const NOT_CALLED = new Set(
  (
    'alignof asm case catch char const decltype defined do double else float for if int long noexcept return ' +
    'signed sizeof static_assert struct switch typeof unsigned void while _Generic _Static_assert __asm__ ' +
    '__attribute__ __typeof__'
  ).split(' '),
);
