import type { Argument, Expression, FunctionCode, Statement, Type } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** A PHP file that is being lowered. The files of this folder call each other through it. */
export interface Php {
  readonly lowering: Lowering;
  /** Parts of the namespace around the place. */
  readonly namespace: readonly string[];
  /** Parts of the namespaces and classes that are imported there, by their names in lower case. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** The class around the place. */
  readonly class?: PhpClass;
  /** Types that conditions around the place prove, by the text of the property. */
  readonly proved: ReadonlyMap<string, Type>;
  expression(node: SyntaxNode): Expression;
  /** Statements of the children of a node. */
  statements(node: SyntaxNode): Statement[];
  /** `doc`: the doc comment before the statement. */
  statement(node: SyntaxNode, doc?: string): readonly Statement[];
  arguments(node: SyntaxNode | undefined): Argument[];
  /** Parameters, types and body of a function; `doc` completes what it does not declare. */
  function(node: SyntaxNode, doc?: string): FunctionCode;
  /** The class, interface, trait, enum or anonymous class. */
  classStatement(node: SyntaxNode, doc?: string): Statement & { readonly kind: 'class' };
  within(place: Partial<Pick<Php, 'namespace' | 'imports' | 'class' | 'proved'>>): Php;
}

export interface PhpClass {
  /** Absent for an anonymous class. */
  readonly name?: SyntaxNode;
  readonly parent?: SyntaxNode;
}
