import type { Expression, Literal, Located, Statement, Type } from '../../code.js';
import type { Lowering } from './lowering.js';
import type { SyntaxNode } from './syntax-node.js';

/** A value that the text does not state, or that has no members. */
export const UNKNOWN: Expression = { kind: 'literal', type: 'other' };

/** Operators with a boolean result in all languages that have them. */
export const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||']);

/** Longer texts are not keys or indexes. */
const MAX_TEXT = 100;

/** A literal, with its text where that is short enough to be a key. */
export function literalOf(type: Literal['type'], text: string): Literal {
  return { kind: 'literal', type, ...(text !== '' && text.length <= MAX_TEXT && { text }) };
}

/** A qualified name as a value: `a`, then its members. All parts have one place. */
export function pathValue([first = '', ...rest]: readonly string[], at: Located): Expression {
  const { start, line } = at;
  return rest.reduce<Expression>((object, name) => ({ kind: 'member', object, name, start, line }), {
    kind: 'name',
    name: first,
    start,
    line,
  });
}

/** The class that a type names, as a value: `A.B` of `new A.B<C>()`. */
export function typeValue(type: Type): Expression {
  return type.kind === 'named' ? pathValue(type.path, type) : { kind: 'cast', value: UNKNOWN, type };
}

/** Arithmetic, comparison and concatenation in languages where `+` with a string gives a string. */
export function binaryOperation(
  operator: string,
  of: readonly Expression[],
): Extract<Expression, { kind: 'operation' }> {
  if (COMPARISONS.has(operator)) return { kind: 'operation', of, type: 'boolean' };
  if (operator !== '+') return { kind: 'operation', of, type: 'number' };
  const isText = of.some((each) => 'type' in each && each.type === 'string');
  return { kind: 'operation', of, ...(isText && { type: 'string' }) };
}

/** False for a value without calls and references: as a statement it says nothing. */
export function hasParts(value: Expression): boolean {
  return value.kind !== 'literal' && (value.kind !== 'operation' || value.of.length > 0);
}

/**
 * A value that is read more than once: itself where that is a path of names, else a variable, which is declared in `before`
 * with the value. What is nested in it would double at each level if the value itself were repeated.
 */
export function held(
  value: Expression,
  node: SyntaxNode,
  lowering: Lowering,
  before: Statement[],
): Expression {
  if (isPath(value)) return value;
  const hold = (part: Expression): Expression => held(part, node, lowering, before);
  if (value.kind === 'member') return { ...value, object: hold(value.object) };
  if (value.kind === 'index') {
    const { object, key, keys } = value;
    return {
      ...value,
      object: hold(object),
      ...(key && { key: hold(key) }),
      ...(keys && { keys: keys.map(hold) }),
    };
  }
  const name = lowering.newName();
  before.push({ kind: 'declare', ...lowering.at(node), name, value });
  return { kind: 'name', ...lowering.at(node), name };
}

/** An expression for its calls and references; none for a literal. */
export function evaluate(value: Expression): Statement[] {
  return value.kind === 'literal' ? [] : [{ kind: 'evaluate', value }];
}

/** A value, with expressions that are evaluated before it. */
export function after(others: readonly Expression[], value: Expression): Expression {
  return withHeld(others.flatMap(evaluate), value);
}

/** A value, with the statements that it needs before it. */
export function withHeld(body: readonly Statement[], value: Expression): Expression {
  return body.length === 0 ? value : { kind: 'block', body, value };
}

function isPath(value: Expression): boolean {
  if (value.kind === 'member') return isPath(value.object);
  if (value.kind === 'index')
    return [value.object, value.key, ...(value.keys ?? [])].every((each) => !each || isPath(each));
  if (value.kind === 'super') return value.call === undefined;
  return value.kind === 'literal' || value.kind === 'name' || value.kind === 'this';
}
