import type { Expression, Statement } from '../../../code.js';
import { child, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { whereFalse, whereTrue, type Proved } from './narrowing.js';

/** Operators, with what they know of the left side where they take the right one. */
const SHORT_CIRCUITS = new Map([
  ['&&', whereTrue],
  ['and', whereTrue],
  ['||', whereFalse],
  ['or', whereFalse],
]);

/** `a && b`, `a || b`: the right side, where the left one holds or does not. Undefined for other operators. */
export function shortCircuit(php: Php, node: SyntaxNode): Expression | undefined {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const prove = SHORT_CIRCUITS.get(child(node, 'operator')?.type ?? '');
  if (!left || !right || !prove) return undefined;
  const of = [php.expression(left), within(prove(php, left, [right]), right)];
  return { kind: 'operation', of: of.filter(({ kind }) => kind !== 'literal') };
}

/** `a ? b : c`, `a ?: c`. */
export function conditionalOf(php: Php, node: SyntaxNode): Expression {
  const [condition, then, otherwise] = ['condition', 'body', 'alternative'].map((field) =>
    child(node, field),
  );
  const tested = condition && php.expression(condition);
  const last = otherwise ? [within(whereFalse(php, condition, [otherwise]), otherwise)] : [];
  if (!then) return { kind: 'choice', of: [...(tested ? [tested] : []), ...last] };
  const of = [within(whereTrue(php, condition, [then]), then), ...last];
  return after(tested ? [tested] : [], { kind: 'choice', of });
}

function within({ php, before }: Proved, node: SyntaxNode): Expression {
  const value = php.expression(node);
  return before.length > 0 ? { kind: 'block', body: before, value } : value;
}

/** A value, with expressions that are evaluated before it. */
export function after(evaluated: readonly Expression[], value: Expression): Expression {
  const body = evaluated
    .filter(({ kind }) => kind !== 'literal' && kind !== 'this')
    .map((each): Statement => ({ kind: 'evaluate', value: each }));
  return body.length > 0 ? { kind: 'block', body, value } : value;
}
