import type { SyntaxNode } from '../syntax-node.js';

/** Nodes that continue an expression: `a.b`, `a[b]`, `a()`, `a!`. */
const CONTINUING: ReadonlySet<string> = new Set([
  'member_expression',
  'subscript_expression',
  'call_expression',
  'non_null_expression',
]);
const OPERATIONS: ReadonlySet<string> = new Set([
  'await_expression',
  'binary_expression',
  'unary_expression',
]);

/**
 * Corrects the trees of `a - b!.c()`, which the grammar reads as `(a - b)!.c()`, and of `await a<B>()`, read as
 * `(await a)<B>()`. Only `!` and type arguments bind so loosely; parentheses are nodes of their own.
 */
export function withPrecedence(node: SyntaxNode): SyntaxNode {
  const [base] = node.children;
  if (!base || !CONTINUING.has(node.type)) return node;
  const inner = withPrecedence(base);
  if (!OPERATIONS.has(inner.type)) return node;
  const last = inner.children.at(-1);
  if (!last) return node;
  const continued = {
    ...node,
    field: last.field,
    start: last.start,
    children: [{ ...last, field: base.field }, ...node.children.slice(1)],
  };
  return {
    ...inner,
    field: node.field,
    end: node.end,
    children: [...inner.children.slice(0, -1), withPrecedence(continued)],
  };
}
