import type { Argument, Expression, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN, typeValue } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { referenceOf } from './parameters.js';
import { typeArguments, typeOf } from './types.js';

/** The object that an initializer fills. Not an identifier of C#. */
const CREATED = '<created>';

export function argumentsOf(list: SyntaxNode | undefined, file: CSharpFile): Argument[] {
  if (!list) return [];
  return named(list).map((each) => {
    const name = child(each, 'name');
    const value = parts(each).findLast((part) => part !== name && part.type !== 'modifier');
    return {
      ...(name && { name: nameText(name, file.lowering) }),
      value: value ? file.expression(value) : UNKNOWN,
      ...referenceOf(each, file),
    };
  });
}

/** `new A(…) { … }`. For the type of `new(…)` see {@link withExpectedType}. */
export function creation(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const type = child(node, 'type');
  const list = child(node, 'arguments') ?? ofType(node, 'argument_list');
  const initializer = child(node, 'initializer') ?? ofType(node, 'initializer_expression');
  const [given] = argumentsOf(list, file);
  // A delegate of the library, which is the function that it is made of.
  if (type && given && typeOf(type, lowering).kind === 'function') return given.value;
  const created: Expression = {
    kind: 'call',
    callee: type ? typeValue(typeOf(type, lowering)) : UNKNOWN,
    constructs: true,
    arguments: argumentsOf(list, file),
    ...typeArguments(type, lowering),
    ...lowering.at(type ?? node),
  };
  return initializer ? filled(created, initializer, parts(initializer), file) : created;
}

/** `new(…)` constructs the type that is declared where its value goes. */
export function withExpectedType(
  value: Expression,
  node: SyntaxNode,
  type: SyntaxNode | undefined,
  file: CSharpFile,
): Expression {
  if (node.type !== 'implicit_object_creation_expression' || !type) return value;
  const plain = type.type === 'nullable_type' ? (child(type, 'type') ?? type) : type;
  const given = { callee: typeValue(typeOf(plain, file.lowering)), ...typeArguments(plain, file.lowering) };
  if (value.kind === 'call') return { ...value, ...given };
  if (value.kind !== 'block') return value;
  const body = value.body.map((each) =>
    each.kind === 'declare' && each.name === CREATED && each.value?.kind === 'call'
      ? { ...each, value: { ...each.value, ...given } }
      : each,
  );
  return { ...value, body };
}

/** `a with { B = c }`: a copy with other members. */
export function withExpression(node: SyntaxNode, file: CSharpFile): Expression {
  const [source, ...rest] = parts(node);
  if (!source) return UNKNOWN;
  const initializers = rest.filter((each) => each.type === 'with_initializer');
  return filled(file.expression(source), node, initializers, file);
}

function filled(
  object: Expression,
  node: SyntaxNode,
  initializers: readonly SyntaxNode[],
  file: CSharpFile,
): Expression {
  const at = file.lowering.at(node);
  const created: Expression = { kind: 'name', name: CREATED, ...at };
  const body: Statement[] = [
    { kind: 'declare', name: CREATED, value: object, ...at },
    ...initializers.flatMap((each) => initialize(created, each, file)),
  ];
  return { kind: 'block', body, value: created };
}

/** One entry of an initializer: a member, an element by key, or an element to add. */
function initialize(object: Expression, node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const isMember = node.type === 'with_initializer';
  if (node.type !== 'assignment_expression' && !isMember) {
    const items = node.type === 'initializer_expression' ? parts(node) : [node];
    const at = lowering.at(node);
    const callee: Expression = { kind: 'member', object, name: 'Add', ...at };
    const values = items.map((each) => ({ value: file.expression(each) }));
    return [{ kind: 'evaluate', value: { kind: 'call', callee, arguments: values, ...at } }];
  }
  const [left, right] = isMember ? parts(node) : [child(node, 'left'), child(node, 'right')];
  if (!left || !right) return [];
  const target: Expression =
    left.type === 'identifier'
      ? { kind: 'member', object, name: nameText(left, lowering), ...lowering.at(left) }
      : { kind: 'index', object, ...keyOf(left, file) };
  if (right.type === 'initializer_expression') {
    return parts(right).flatMap((each) => initialize(target, each, file));
  }
  return [{ kind: 'assign', target, value: file.expression(right) }];
}

/** The keys of `[a, b]`. */
export function keyOf(
  node: SyntaxNode | undefined,
  file: CSharpFile,
): { readonly key?: Expression; readonly keys?: readonly Expression[] } {
  const [key, ...keys] = argumentsOf(node, file).map(({ value }) => value);
  return key ? { key, ...(keys.length > 0 && { keys }) } : {};
}

/** `new { a.B, C = d }`. */
export function anonymousObject(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const entries: { key: Expression; value: Expression }[] = [];
  let name: SyntaxNode | undefined;
  node.children.forEach((each, i) => {
    if (node.children[i + 1]?.type === '=') name = each;
    else if (each.named || each.type === 'this') {
      const label = name ?? (each.type === 'member_access_expression' ? child(each, 'name') : each) ?? each;
      const key: Expression = { kind: 'literal', type: 'string', text: nameText(label, lowering) };
      entries.push({ key, value: file.expression(each) });
      name = undefined;
    }
  });
  return { kind: 'object', entries };
}

/** `new A[n] { … }`, `new[] { … }`, `stackalloc A[n]`. */
export function arrayCreation(node: SyntaxNode, file: CSharpFile): Expression {
  const type = child(node, 'type');
  const initializer = ofType(node, 'initializer_expression');
  const list: Expression = { kind: 'list', items: initializer ? file.expressions(parts(initializer)) : [] };
  if (!type) return list;
  const rank = child(type, 'rank');
  const sizes = rank ? file.expressions(parts(rank)) : [];
  const value: Expression =
    sizes.length === 0
      ? list
      : { kind: 'block', body: sizes.map((each) => ({ kind: 'evaluate', value: each })), value: list };
  return { kind: 'cast', value, type: typeOf(type, file.lowering) };
}
