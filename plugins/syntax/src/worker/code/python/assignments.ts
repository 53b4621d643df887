import type { Assign, Declare, Expression, Statement } from '../../../code.js';
import { child, type SyntaxNode } from '../syntax-node.js';
import { NONE, type Context } from './context.js';
import { itemsOf, operation } from './expressions.js';
import { allNames } from './imports.js';
import { holdsClass, typeOf } from './types.js';

type Cast = Extract<Expression, { kind: 'cast' }>;

/** `a = b`, `a: T = b`, `a = b = c`, `self.a = b`. */
export function assignment(node: SyntaxNode, context: Context): Statement[] {
  const { lowering, frame } = context;
  const left = child(node, 'left');
  if (!left) return [];
  const annotation = child(node, 'type');
  const right = child(node, 'right');
  const type = annotation && context.type(annotation, context);
  const value = right && assigned(right, context);
  const name = left.type === 'identifier' ? lowering.textOf(left) : undefined;
  const typed: Cast | undefined = type && { kind: 'cast', type, value: value ?? NONE };
  // A declared function type says less than the function.
  const kept = type?.kind === 'function' || type?.kind === 'other' ? value : typed;
  if (name === undefined || frame.outer.has(name)) {
    if (!value && !type) return [];
    return [assign(left, kept ?? value ?? typed ?? NONE, context)];
  }
  const given = givenClasses(typed, value);
  const held = given ?? (frame.kind === 'function' && value && kept ? read(kept) : value);
  const declare: Declare = {
    kind: 'declare',
    ...lowering.at(left),
    name,
    ...(type && !given && { type }),
    ...(held && { value: held }),
    ...lowering.symbolAt(left),
    ...(frame.kind === 'class' && value && { static: true as const }),
  };
  if (frame.kind !== 'module' || !right) return [declare];
  if (name === '__all__') return [...allNames(right, context), declare];
  const meant = typeOf(right, context);
  if (!meant) return [declare];
  return [declare, { kind: 'alias', ...lowering.at(left), ...lowering.symbolAt(left), name, type: meant }];
}

/** Classes that a variable is given say more than their declared type: `kinds: dict[str, type[A]] = {"b": B}`. */
function givenClasses(typed: Cast | undefined, value: Expression | undefined): Expression | undefined {
  if (!typed || !value || !holdsClass(typed.type)) return undefined;
  const { type } = typed.type.kind === 'wrapper' ? { type: typed.type.of } : typed;
  if (type.kind === 'typeof') return { ...typed, fallback: true };
  const isWritten =
    value.kind === 'object' || value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set';
  return isWritten ? { kind: 'choice', of: [value, { ...typed, value: NONE }] } : undefined;
}

/** The value of a declared variable. A declared class counts only where nothing is known of what it is given. */
function read(typed: Expression): Expression {
  return typed.kind === 'cast' && ['named', 'union', 'wrapper'].includes(typed.type.kind)
    ? { ...typed, fallback: true }
    : typed;
}

/** The value of an assignment: itself an assignment in `a = b = c`. */
function assigned(node: SyntaxNode, context: Context): Expression {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (node.type !== 'assignment' || !left || !right) return context.expression(node, context);
  return assign(left, assigned(right, context), context);
}

/** `a += b` adds the elements of a list literal; else it keeps what it was, or becomes what its class makes of it. */
export function augmentedAssignment(node: SyntaxNode, context: Context): Statement[] {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return [];
  const exports = context.lowering.textOf(left) === '__all__' ? allNames(right, context) : [];
  const target = context.expression(left, context);
  const value = context.expression(right, context);
  const operator = child(node, 'operator')?.type;
  if (operator !== '+=' || !['list', 'tuple', 'block'].includes(value.kind)) {
    const changed = operation(node, [target, value], operator, context);
    if (value.kind === 'literal' && left.type !== 'subscript')
      return [...exports, { kind: 'evaluate', value: changed }];
    return [...exports, assign(left, { kind: 'choice', of: [target, changed] }, context)];
  }
  const items = [...itemsOf(target), ...itemsOf(value)];
  return [...exports, assign(left, { kind: 'list', items }, context)];
}

/** Binds a target: names and patterns of names become variables of the scope. */
export function assign(target: SyntaxNode, value: Expression, context: Context): Assign {
  return { kind: 'assign', target: context.expression(target, context), value, ...declares(target, context) };
}

export function declares(target: SyntaxNode, { lowering, frame }: Context): { declares?: true } {
  if (target.type === 'attribute' || target.type === 'subscript') return {};
  return target.type === 'identifier' && frame.outer.has(lowering.textOf(target)) ? {} : { declares: true };
}
