import type { Argument, Call, Expression } from '../../../code.js';

/** The class of `namedtuple("Point", "x y")`: its fields in their order. Undefined where they are computed. */
export function namedTuple(
  { arguments: [, names], start, line }: Call,
  name: string | undefined,
): Expression | undefined {
  const fields = fieldNames(names);
  if (!fields) return undefined;
  const members = fields.map((each) => ({ kind: 'declare', start, line, name: each }) as const);
  return {
    kind: 'class',
    class: { start, line, form: 'class', members, fields, ...(name !== undefined && { name }) },
  };
}

/** `"x y"`, `"x, y"` or `["x", "y"]`. */
function fieldNames(argument: Argument | undefined): string[] | undefined {
  const value = argument?.value;
  if (value?.kind === 'literal' && value.type === 'string')
    return value.text?.split(/[\s,]+/).filter((each) => each !== '');
  if (value?.kind !== 'list' && value?.kind !== 'tuple') return undefined;
  const found = value.items.flatMap((each) =>
    each.kind === 'literal' && each.type === 'string' && each.text !== undefined ? [each.text] : [],
  );
  return found.length === value.items.length ? found : undefined;
}

/** What `attrgetter("a.b")`, `itemgetter(1)` and `methodcaller("run", 1)` make, as a function of an object. */
export function accessor(
  called: string,
  { arguments: [first, ...others], start, line }: Call,
): Expression | undefined {
  const at = { start, line };
  const object: Expression = { kind: 'name', ...at, name: 'object' };
  const { value } = first ?? {};
  if (value?.kind !== 'literal' || value.text === undefined || first?.name !== undefined) return undefined;
  const isNamed = value.type === 'string';
  if (called !== 'methodcaller' && others.length > 0) return undefined;
  if (called !== 'itemgetter' && !isNamed) return undefined;
  let result: Expression = { kind: 'index', object, key: value };
  if (called === 'attrgetter')
    result = value.text
      .split('.')
      .reduce<Expression>((inner, name) => ({ kind: 'member', ...at, object: inner, name }), object);
  if (called === 'methodcaller') {
    const callee: Expression = { kind: 'member', ...at, object, name: value.text };
    result = { kind: 'call', ...at, callee, arguments: others };
  }
  const body = [{ kind: 'return', value: result } as const];
  return { kind: 'function', function: { ...at, parameters: [{ target: object }], body } };
}
