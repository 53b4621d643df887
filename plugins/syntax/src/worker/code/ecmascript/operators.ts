import type { Expression, Literal, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { after, held, UNKNOWN, withHeld } from '../values.js';
import { expressionOf, operation, type Context } from './context.js';
import { narrowing } from './narrowing.js';
import { pattern } from './patterns.js';
import { prototypeValue } from './prototypes.js';

export function ternary(node: SyntaxNode, context: Context): Expression {
  const condition = child(node, 'condition');
  const found = narrowing(condition, context);
  const of = [
    withHeld(found.yes, expressionOf(child(node, 'consequence'), context)),
    withHeld(found.no, expressionOf(child(node, 'alternative'), context)),
  ];
  return after([expressionOf(condition, context)], { kind: 'choice', of });
}

const COMPARISONS: ReadonlySet<string> = new Set([
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  'in',
  'instanceof',
]);

export function binary(node: SyntaxNode, context: Context): Expression {
  const left = expressionOf(child(node, 'left'), context);
  const right = expressionOf(child(node, 'right'), context);
  const operator = context.lowering.textOf(child(node, 'operator') ?? node);
  if (operator === '??') return { kind: 'choice', of: [left, right] };
  const found = operator === '||' || operator === '&&' ? narrowing(child(node, 'left'), context) : undefined;
  if (operator === '||') return { kind: 'choice', of: [left, withHeld(found?.no ?? [], right)] };
  if (operator === '&&') return after([left], withHeld(found?.yes ?? [], right));
  if (COMPARISONS.has(operator)) return operation([left, right], 'boolean');
  if (operator !== '+') return operation([left, right], 'number');
  return operation([left, right], isString(left) || isString(right) ? 'string' : undefined);
}

function isString(value: Expression): boolean {
  return (value.kind === 'literal' || value.kind === 'operation') && value.type === 'string';
}

const UNARY: ReadonlyMap<string, Literal['type']> = new Map([
  ['!', 'boolean'],
  ['delete', 'boolean'],
  ['typeof', 'string'],
  ['void', 'null'],
]);

export function unary(node: SyntaxNode, context: Context): Expression {
  const operator = context.lowering.textOf(child(node, 'operator') ?? node);
  return operation([expressionOf(child(node, 'argument'), context)], UNARY.get(operator) ?? 'number');
}

export function assignment(node: SyntaxNode, context: Context): Expression {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return UNKNOWN;
  const symbol = child(left, 'property') ?? left;
  return {
    kind: 'assign',
    target: pattern(left, context),
    value: context.value(prototypeValue(left, right, context), symbol),
  };
}

/** `a ??= b` may assign; `a += b` gives a plain value. */
export function augmented(node: SyntaxNode, context: Context): Expression {
  const left = expressionOf(child(node, 'left'), context);
  const value = expressionOf(child(node, 'right'), context);
  const operator = context.lowering.textOf(child(node, 'operator') ?? node);
  if (['??=', '||=', '&&='].includes(operator)) {
    const before: Statement[] = [];
    const target = held(left, node, context.lowering, before);
    return withHeld(before, { kind: 'choice', of: [target, { kind: 'assign', target, value }] });
  }
  return operation([left, value], isString(value) ? 'string' : undefined);
}

export function sequence(node: SyntaxNode, context: Context): Expression {
  const values = named(node).map(context.expression);
  return after(values.slice(0, -1), values.at(-1) ?? UNKNOWN);
}
