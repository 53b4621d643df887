import type { Narrowed, Statement, Type } from '../../../code.js';
import { allOf, anyOf, negated, NOTHING, type Proof } from '../proofs.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { typeNamedBy } from './annotations.js';
import { withoutParentheses, type Context } from './context.js';

/** Declarations of variables with narrowed types. */
type Narrowing = Proof<Statement>;

/** `a instanceof B`, and in TypeScript `isB(a)`, alone, negated, and in `&&` and `||`. */
export function narrowing(condition: SyntaxNode | undefined, context: Context): Narrowing {
  const node = condition && withoutParentheses(condition);
  if (node?.type === 'unary_expression') {
    const argument = child(node, 'argument');
    return operatorOf(node, context) === '!' ? negated(narrowing(argument, context)) : NOTHING;
  }
  if (node?.type === 'call_expression') return tested(node, context);
  if (node?.type !== 'binary_expression') return NOTHING;
  const operator = operatorOf(node, context);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (operator === 'instanceof') return instance(left, right, context);
  if (operator !== '&&' && operator !== '||') return NOTHING;
  const both = [narrowing(left, context), narrowing(right, context)];
  return operator === '&&' ? allOf(both) : anyOf(both);
}

/** True for a statement that always leaves the block around it. */
export function leaves(node: SyntaxNode | undefined): boolean {
  if (!node) return false;
  if (node.type === 'statement_block') return leaves(named(node).at(-1));
  return LEAVING.has(node.type);
}

const LEAVING: ReadonlySet<string> = new Set([
  'return_statement',
  'throw_statement',
  'continue_statement',
  'break_statement',
]);

function operatorOf(node: SyntaxNode, { lowering }: Context): string {
  const operator = child(node, 'operator');
  return operator ? lowering.textOf(operator) : '';
}

function instance(value: SyntaxNode | undefined, of: SyntaxNode | undefined, context: Context): Narrowing {
  if (value?.type !== 'identifier' || !of) return NOTHING;
  const type = typeNamedBy(context.expression(of), undefined);
  if (type.kind !== 'named') return NOTHING;
  return { yes: [declaration(value, {}, context, type)], no: [] };
}

/** Whether the function tests for a type, and which of its arguments, is not known in this file. */
function tested(node: SyntaxNode, context: Context): Narrowing {
  if (!context.typed) return NOTHING;
  const list = child(node, 'arguments');
  const test = namesOf(child(node, 'function'), context);
  const given = test && list?.type === 'arguments' ? named(list) : [];
  const declare = (excludes: Pick<Narrowed, 'excludes'>) =>
    given.flatMap((value, argument) =>
      value.type === 'identifier'
        ? [declaration(value, { ...(test && { test }), argument, ...excludes }, context)]
        : [],
    );
  return { yes: declare({}), no: declare({ excludes: true }) };
}

function declaration(value: SyntaxNode, narrows: Narrowed, { lowering }: Context, type?: Type): Statement {
  return {
    kind: 'declare',
    name: lowering.textOf(value),
    ...(type && { type }),
    narrows,
    ...lowering.at(value),
  };
}

/** `a`, `a.b`, `this.b`. */
function namesOf(node: SyntaxNode | undefined, context: Context): string[] | undefined {
  if (node?.type === 'identifier' || node?.type === 'this') return [context.lowering.textOf(node)];
  if (node?.type !== 'member_expression') return undefined;
  const property = child(node, 'property');
  const before = namesOf(child(node, 'object'), context);
  return before && property && [...before, context.lowering.textOf(property)];
}
