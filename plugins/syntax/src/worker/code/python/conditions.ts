import type { Expression, Statement, Tested, Type } from '../../../code.js';
import { allOf, anyOf, MAX_FACTS, negated, NOTHING, type Proof } from '../proofs.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import type { Context } from './context.js';

/** What a condition proves of a name. */
interface Fact {
  readonly name: SyntaxNode;
  readonly is: Type | Tested['test'];
  readonly holds: boolean;
}

/** Code in which a condition is known to hold, or not to. */
export interface Proved {
  readonly context: Context;
  /** Goes before it. */
  readonly before: readonly Statement[];
}

/** The place where a condition holds (`isinstance(a, User)`, `a is None`) or does not. */
export function where(condition: SyntaxNode | undefined, holds: boolean, context: Context): Proved {
  const proof = proofOf(condition, context);
  const facts = holds ? proof.yes : proof.no;
  const before: Statement[] = [];
  const tested: Tested[] = [];
  for (const { name, is, holds: yes } of facts) {
    const { lowering } = context;
    const text = lowering.textOf(name);
    if (typeof is === 'string') tested.push({ name: text, test: is, holds: yes });
    const type: Type | 'null' = is === 'callable' ? { kind: 'function', parameters: [] } : is;
    if (type === 'null') continue;
    const narrows = yes ? {} : { excludes: true as const };
    before.push({ kind: 'declare', ...lowering.at(name), name: text, type, narrows });
  }
  if (tested.length === 0) return { context, before };
  return { context: { ...context, tested: [...context.tested, ...tested].slice(0, MAX_FACTS) }, before };
}

/** The place after `if not isinstance(a, User): return`. */
export function afterLeaving(node: SyntaxNode, context: Context): Proved | undefined {
  if (node.type === 'assert_statement') return where(named(node)[0], true, context);
  if (node.type !== 'if_statement' || child(node, 'alternative')) return undefined;
  const block = child(node, 'consequence');
  const leaves = block && LEAVING.has(named(block).at(-1)?.type ?? '');
  return leaves ? where(child(node, 'condition'), false, context) : undefined;
}

/** A value where a condition is known to hold, or not to. */
export function provedValue(
  condition: SyntaxNode | undefined,
  holds: boolean,
  value: SyntaxNode,
  context: Context,
): Expression {
  const proved = where(condition, holds, context);
  const lowered = context.expression(value, proved.context);
  return proved.before.length > 0 ? { kind: 'block', body: proved.before, value: lowered } : lowered;
}

const LEAVING: ReadonlySet<string> = new Set([
  'return_statement',
  'raise_statement',
  'continue_statement',
  'break_statement',
]);

function proofOf(node: SyntaxNode | undefined, context: Context): Proof<Fact> {
  if (!node) return NOTHING;
  const { lowering } = context;
  switch (node.type) {
    case 'identifier':
      return {
        yes: [{ name: node, is: 'null', holds: false }],
        no: [{ name: node, is: 'null', holds: true }],
      };
    case 'parenthesized_expression':
      return proofOf(named(node)[0], context);
    case 'not_operator':
      return negated(proofOf(named(node)[0], context));
    case 'boolean_operator': {
      const both = [child(node, 'left'), child(node, 'right')].map((each) => proofOf(each, context));
      return child(node, 'operator')?.type === 'and' ? allOf(both) : anyOf(both);
    }
    case 'comparison_operator': {
      const [name, other, ...more] = named(node);
      if (name?.type !== 'identifier' || other?.type !== 'none' || more.length > 0) return NOTHING;
      const operator = lowering.text.slice(name.end, other.start).trim();
      if (!/^(?:is(?:\s+not)?|[=!]=)$/.test(operator)) return NOTHING;
      const holds = operator === 'is' || operator === '==';
      return { yes: [{ name, is: 'null', holds }], no: [{ name, is: 'null', holds: !holds }] };
    }
    case 'call':
      return testOf(node, context);
    default:
      return NOTHING;
  }
}

/** `isinstance(a, User)`, `callable(a)`. */
function testOf(node: SyntaxNode, context: Context): Proof<Fact> {
  const called = context.lowering.textOf(child(node, 'function') ?? node);
  const list = child(node, 'arguments');
  const [name, tested] = list ? named(list) : [];
  if (name?.type !== 'identifier') return NOTHING;
  const is = called === 'callable' && !tested ? 'callable' : undefined;
  const type = called === 'isinstance' && tested ? testedType(tested, context) : undefined;
  const fact = is ?? type;
  return fact ? { yes: [{ name, is: fact, holds: true }], no: [{ name, is: fact, holds: false }] } : NOTHING;
}

/** `User`, `models.User`, `(User, Admin)`. */
function testedType(node: SyntaxNode, context: Context): Type | undefined {
  if (node.type === 'identifier' || node.type === 'attribute') return context.type(node, context);
  if (node.type !== 'tuple') return undefined;
  const types = named(node).map((each) => testedType(each, context));
  return types.every((each) => each !== undefined) ? { kind: 'union', of: types } : undefined;
}
