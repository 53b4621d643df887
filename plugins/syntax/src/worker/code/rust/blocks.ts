import type { Expression, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { evaluate, withHeld } from '../values.js';
import { BLANK, items, type BlockBody, type Context } from './context.js';
import { closure } from './functions.js';
import { bind, hold, target } from './patterns.js';
import { typeOf } from './types.js';
import { unlikelyVariants } from './variants.js';

/** Statements that are not items of a module too. */
const LET = 'let_declaration';

/** A block, with names of its own. */
export function block(node: SyntaxNode, context: Context): BlockBody {
  return context.locals.within(() => {
    const nodes = items(node).filter(({ type }) => type !== 'label' && type !== 'empty_statement');
    const last = nodes.at(-1);
    const tail = last && isExpression(last) ? last : undefined;
    const hasAttributes = node.children.some(({ type }) => type === 'attribute_item');
    const inner = hasAttributes ? { ...context, variants: unlikelyVariants(named(node), context) } : context;
    const body = nodes.filter((each) => each !== tail).flatMap((each) => statement(each, inner));
    return { body, ...(tail && { value: context.expression(tail, context) }) };
  });
}

/** A block as a value; its own scope of names. */
export function blockExpression(node: SyntaxNode, context: Context): Expression {
  const { body, value } = block(node, context);
  return body.length === 0 && value ? value : { kind: 'block', body, ...(value && { value }) };
}

/** `if`, with the names that its conditions bind. */
export function ifExpression(node: SyntaxNode, context: Context): Expression {
  const condition = child(node, 'condition');
  const consequence = child(node, 'consequence');
  const alternative = child(node, 'alternative');
  const then = context.locals.within(() => {
    const tested = condition ? conditions(condition, context) : [];
    return withHeld(tested, consequence ? blockExpression(consequence, context) : BLANK);
  });
  const otherwise = alternative && named(alternative)[0];
  return { kind: 'choice', of: [then, ...(otherwise ? [context.expression(otherwise, context)] : [])] };
}

/** `match`: in each arm its pattern is bound to the value. */
export function matchExpression(node: SyntaxNode, context: Context): Expression {
  const value = child(node, 'value');
  const body = child(node, 'body');
  if (!value || !body) return BLANK;
  const { statements, held } = hold(context.expression(value, context), context);
  const arms = named(body)
    .filter(({ type }) => type === 'match_arm')
    .map((arm) =>
      context.locals.within((): Expression => {
        const pattern = child(arm, 'pattern');
        const guard = pattern && child(pattern, 'condition');
        const result = child(arm, 'value');
        const tested = [
          ...(pattern ? bind(pattern, held, undefined, context) : []),
          ...(guard ? conditions(guard, context) : []),
        ];
        return withHeld(tested, result ? context.expression(result, context) : BLANK);
      }),
    );
  return withHeld(statements, { kind: 'choice', of: arms });
}

/** `loop`, `while` and `for`. */
export function loop(node: SyntaxNode, context: Context): Statement[] {
  const body = child(node, 'body');
  const run = (): Statement[] => (body ? [{ kind: 'block', body: discarded(block(body, context)) }] : []);
  const arm = context.locals.within((): Statement[] => {
    if (node.type === 'for_expression') {
      const [pattern, value] = [child(node, 'pattern'), child(node, 'value')];
      if (!pattern || !value) return run();
      const of = context.expression(value, context);
      const bound = target(pattern, context);
      return [{ kind: 'each', target: bound.target, of, declares: true }, ...bound.statements, ...run()];
    }
    const condition = child(node, 'condition');
    return [...(condition ? conditions(condition, context) : []), ...run()];
  });
  return [{ kind: 'block', body: [{ kind: 'branch', arms: [arm], loop: true }] }];
}

/** `loop`, or a block with a label, with the values that `break` gives it. */
export function breakable(
  node: SyntaxNode,
  context: Context,
  run: (context: Context) => { readonly body: readonly Statement[]; readonly value?: Expression },
): Expression {
  const place = { start: 0, line: 0 };
  const name = context.locals.unnamed();
  const held: Expression = { kind: 'name', name, ...place };
  const label = ofType(node, 'label');
  const loops = new Map(context.loops);
  if (node.type === 'loop_expression') loops.set('', held);
  if (label) loops.set(context.lowering.textOf(label), held);
  const { body, value } = run({ ...context, loops });
  const last: Statement[] = value ? [{ kind: 'assign', target: held, value }] : [];
  return { kind: 'block', body: [{ kind: 'declare', name, ...place }, ...body, ...last], value: held };
}

/** `break value`, `break 'label value`. */
export function breakExpression(node: SyntaxNode, context: Context): Expression {
  const label = ofType(node, 'label');
  const value = named(node).find((each) => each !== label);
  const target = context.loops?.get(label ? context.lowering.textOf(label) : '');
  if (!value) return BLANK;
  const given = context.expression(value, context);
  return target ? { kind: 'assign', target, value: given } : given;
}

/** A condition; the names that its `let` bind stay visible. */
function conditions(node: SyntaxNode, context: Context): Statement[] {
  if (node.type === 'let_chain') return named(node).flatMap((each) => conditions(each, context));
  if (node.type !== 'let_condition') return evaluate(context.expression(node, context));
  const [pattern, value] = [child(node, 'pattern'), child(node, 'value')];
  return pattern && value ? bind(pattern, context.expression(value, context), undefined, context) : [];
}

function statement(node: SyntaxNode, context: Context): Statement[] {
  if (node.type === LET) return letDeclaration(node, context);
  if (node.type === 'expression_statement') {
    return named(node).flatMap((each) => discard(context.expression(each, context)));
  }
  if (isExpression(node)) return discard(context.expression(node, context));
  return context.item(node, context);
}

function letDeclaration(node: SyntaxNode, context: Context): Statement[] {
  const pattern = child(node, 'pattern');
  const typeNode = child(node, 'type');
  const valueNode = child(node, 'value');
  const alternative = child(node, 'alternative');
  const type = typeNode && !isOpenList(typeNode, context) ? typeOf(typeNode, context) : undefined;
  const symbol = pattern && context.lowering.symbolAt(pattern).symbol;
  const value: Expression =
    valueNode?.type === 'closure_expression' && symbol !== undefined
      ? { kind: 'function', function: closure(valueNode, context, pattern) }
      : valueNode
        ? context.expression(valueNode, context)
        : BLANK;
  const otherwise = alternative ? discarded(block(alternative, context)) : [];
  const bound = pattern ? bind(pattern, value, type, context) : evaluate(value);
  const declared = bound.map((each) =>
    each.kind === 'declare' && symbol !== undefined ? { ...each, symbol } : each,
  );
  return otherwise.length === 0 ? declared : [{ kind: 'block', body: otherwise }, ...declared];
}

/** `Vec<_>`: the value alone tells the type of the elements. */
function isOpenList(type: SyntaxNode, { lowering }: Context): boolean {
  return /^(?:\w+::)*Vec\s*<\s*_\s*>$/.test(lowering.textOf(type));
}

/** An expression with an unused value: blocks and choices become statements. */
function discard(value: Expression): Statement[] {
  if (value.kind === 'block') return [{ kind: 'block', body: discarded(value) }];
  if (value.kind === 'choice') return [{ kind: 'branch', arms: value.of.map(discard) }];
  return evaluate(value);
}

function discarded({ body, value }: BlockBody): Statement[] {
  return [...body, ...(value ? discard(value) : [])];
}

function isExpression(node: SyntaxNode): boolean {
  return (
    node.type !== 'expression_statement' &&
    (/(?:_expression|_expr|_literal|_block|_invocation|^block)$/.test(node.type) ||
      ['identifier', 'scoped_identifier', 'self', 'generic_function'].includes(node.type))
  );
}

/** The block in `unsafe {}`, `async {}`, `const {}`. */
export function innerBlock(node: SyntaxNode): SyntaxNode | undefined {
  return child(node, 'body') ?? ofType(node, 'block');
}
