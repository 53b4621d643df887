import type { code } from '@service-mcp/plugin-syntax/contract';

/** The key that an expression is for certain. */
export function keyOf(expression: code.Expression | undefined): string | undefined {
  return expression?.kind === 'literal' ? expression.text : undefined;
}
