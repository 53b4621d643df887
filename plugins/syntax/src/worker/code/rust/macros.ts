import type { Expression } from '../../../code.js';
import { child, ofType, type SyntaxNode } from '../syntax-node.js';
import { BLANK, type Context } from './context.js';
import { pathExpression } from './paths.js';
import { TokenList } from './token-list.js';
import { argument, isList, tokenArguments } from './tokens.js';

/** Macros whose value is their first argument. */
const VALUES = new Set(['dbg']);
/** Macros with a pattern after their first argument. */
const PATTERNS = new Set(['matches', 'assert_matches']);

/** A macro as the call of a function `name!`. Arguments that look like expressions are read as such. */
export function macroInvocation(node: SyntaxNode, context: Context): Expression {
  const macro = child(node, 'macro');
  const tree = ofType(node, 'token_tree');
  if (!macro) return BLANK;
  const name = context.lowering.textOf(child(macro, 'name') ?? macro);
  const read = PATTERNS.has(name) ? testedArguments : tokenArguments;
  const values = tree ? read(tree, context) : [];
  if (isList(name)) return { kind: 'list', items: values };
  const [first] = values;
  if (VALUES.has(name) && first) return first;
  const path = pathExpression(macro, context);
  const callee = path.kind === 'name' || path.kind === 'member' ? { ...path, name: `${name}!` } : path;
  return {
    kind: 'call',
    ...context.lowering.at(child(macro, 'name') ?? macro),
    callee,
    arguments: values.map((value) => ({ value })),
  };
}

/** The value and the condition in `matches!(value, pattern if condition)`. */
function testedArguments(tree: SyntaxNode, context: Context): Expression[] {
  const [value, ...pattern] = TokenList.inside(tree, context).split([',']);
  const guard = pattern.flatMap(({ tokens }) => {
    const at = tokens.find('if');
    return at === undefined ? [] : argument(tokens.slice(at + 1), context);
  });
  return [...(value ? argument(value.tokens, context) : []), ...guard];
}
