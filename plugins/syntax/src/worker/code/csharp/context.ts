import type { Expression, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** A C# file that is being lowered. The files of this folder call each other through it. */
export interface CSharpFile {
  readonly lowering: Lowering;
  expression(node: SyntaxNode): Expression;
  expressions(nodes: readonly SyntaxNode[]): Expression[];
  /** A statement, or a declaration in a function, class or namespace. */
  statement(node: SyntaxNode): readonly Statement[];
  statements(nodes: readonly SyntaxNode[]): Statement[];
  /** The statements of a block or the value of `=> value`. */
  body(node: SyntaxNode): Statement[];
  /** The declared results of the functions around, the innermost last; undefined for a lambda. */
  readonly results: Array<SyntaxNode | undefined>;
  /** Variables that patterns and `out` arguments declare, gathered until the statement around them is lowered. */
  readonly patternVariables: Statement[];
}

/** The named children, without comments, and `this` and `base`, which are keywords. */
export function parts(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(
    (each) => (each.named && each.type !== 'comment') || each.type === 'this' || each.type === 'base',
  );
}

/** A name without the `@` that makes a keyword a name. */
export function nameText(node: SyntaxNode, lowering: Lowering): string {
  return lowering.textOf(node).replace(/^@/, '');
}
