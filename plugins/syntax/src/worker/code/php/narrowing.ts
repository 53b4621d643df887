import type { Expression, Statement, Type } from '../../../code.js';
import { allOf, anyOf, MAX_FACTS, negated, NOTHING, type Proof } from '../proofs.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { variableOf } from './names.js';
import { typeOf } from './types.js';

/** A variable or property that has a type. */
interface Fact {
  readonly node: SyntaxNode;
  readonly type: Type;
}

/** Code in which a condition is known to hold, or not to. */
export interface Proved {
  readonly php: Php;
  /** Goes before it. */
  readonly before: readonly Statement[];
}

/** The place of some nodes, where `$a instanceof User` holds. */
export function whereTrue(php: Php, condition: SyntaxNode | undefined, of: readonly SyntaxNode[]): Proved {
  return prove(php, narrowing(php, condition).yes, of);
}

export function whereFalse(php: Php, condition: SyntaxNode | undefined, of: readonly SyntaxNode[]): Proved {
  return prove(php, narrowing(php, condition).no, of);
}

/** The statements after `if (!$a instanceof User) { return; }`. */
export function afterLeaving(php: Php, node: SyntaxNode, rest: readonly SyntaxNode[]): Proved | undefined {
  const leaves = node.type === 'if_statement' && isLeaving(childrenIn(node, 'body').at(-1));
  if (!leaves || childrenIn(node, 'alternative').length > 0) return undefined;
  return whereFalse(php, child(node, 'condition'), rest);
}

/** A property, with its type where a condition has proved one. */
export function provedProperty(php: Php, node: SyntaxNode, value: Expression): Expression {
  const type = php.proved.get(php.lowering.textOf(node));
  return type ? { kind: 'cast', value, type } : value;
}

const LEAVING: ReadonlySet<string> = new Set(['return_statement', 'continue_statement', 'break_statement']);

function isLeaving(node: SyntaxNode | undefined): boolean {
  if (node?.type === 'compound_statement') return isLeaving(named(node).at(-1));
  if (node?.type === 'expression_statement') return named(node)[0]?.type === 'throw_expression';
  return node !== undefined && LEAVING.has(node.type);
}

function narrowing(php: Php, node: SyntaxNode | undefined): Proof<Fact> {
  if (node?.type === 'parenthesized_expression') return narrowing(php, named(node)[0]);
  if (node?.type === 'unary_op_expression') {
    const isNot = node.children.some(({ type }) => type === '!');
    return isNot ? negated(narrowing(php, child(node, 'argument'))) : NOTHING;
  }
  if (node?.type !== 'binary_expression') return NOTHING;
  const [left, right, operator] = [child(node, 'left'), child(node, 'right'), child(node, 'operator')?.type];
  const both = () => [narrowing(php, left), narrowing(php, right)];
  if (operator === '&&' || operator === 'and') return allOf(both());
  if (operator === '||' || operator === 'or') return anyOf(both());
  const isKnown = left?.type === 'variable_name' || left?.type === 'member_access_expression';
  if (operator !== 'instanceof' || !isKnown || !right || right.type === 'variable_name') return NOTHING;
  const type = typeOf(php, right);
  return type ? { yes: [{ node: left, type }], no: [] } : NOTHING;
}

/** A property that is assigned there has no certain type. */
function prove(php: Php, facts: readonly Fact[], of: readonly SyntaxNode[]): Proved {
  const before = facts.flatMap(({ node, type }): Statement[] => {
    const target = node.type === 'variable_name' ? variableOf(php, node) : undefined;
    if (target?.kind !== 'name') return [];
    return [{ kind: 'assign', target, value: { kind: 'cast', value: target, type } }];
  });
  const properties = facts
    .slice(0, MAX_FACTS - php.proved.size)
    .flatMap(({ node, type }): Array<[string, Type]> => {
      const text = php.lowering.textOf(node);
      return node.type === 'variable_name' || of.some((each) => assigns(php, each, text))
        ? []
        : [[text, type]];
    });
  const proved = new Map([...php.proved, ...properties]);
  return { php: properties.length > 0 ? php.within({ proved }) : php, before };
}

function assigns(php: Php, node: SyntaxNode, text: string): boolean {
  const written = php.lowering.textOf(node);
  for (let at = written.indexOf(text); at >= 0; at = written.indexOf(text, at + 1))
    if (/^\s*(?:\?\?)?=(?![=>])/.test(written.slice(at + text.length))) return true;
  return false;
}
