import type { Expression, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** A Java file that is being lowered. The files of this folder call each other through it. */
export interface JavaFile {
  readonly lowering: Lowering;
  expression(node: SyntaxNode): Expression;
  /** Lowers those of the nodes that are expressions. */
  expressions(nodes: readonly SyntaxNode[]): Expression[];
  /** A statement, or a declaration in a function or class. */
  statement(node: SyntaxNode): readonly Statement[];
  statements(nodes: readonly SyntaxNode[]): Statement[];
  /** Variables that patterns declare, gathered until the statement around them is lowered. */
  readonly patternVariables: Statement[];
}
