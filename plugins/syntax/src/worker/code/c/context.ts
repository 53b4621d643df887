import type { Argument, ClassCode, Expression, FunctionCode, Statement, Type } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** A C or C++ file that is being lowered. The files of this folder call each other through it. */
export interface Unit {
  readonly lowering: Lowering;
  /** C++, where variables of a class construct it and `->` may be an operator. */
  readonly cpp: boolean;
  /** Name of the class around the place. */
  readonly className?: string;
  /** Name of the innermost namespace around the place. */
  readonly namespace?: string;
  /** The names here are hidden from other files: a private section, an unnamed namespace. */
  readonly hidden?: boolean;
  /** Inside of a function body. */
  readonly local?: boolean;
  expression(node: SyntaxNode): Expression;
  arguments(node: SyntaxNode | undefined): Argument[];
  /** Statements of the children of a node. */
  statements(node: SyntaxNode): Statement[];
  statement(node: SyntaxNode): readonly Statement[];
  /** A function definition, or a prototype among the declarators of a node. Undefined where it declares no function. */
  function(node: SyntaxNode, declarator?: SyntaxNode): FunctionCode | undefined;
  lambda(node: SyntaxNode): FunctionCode;
  /** A struct, union, enum or class with a body. `alias`: the typedef that names it. */
  class(node: SyntaxNode, alias?: SyntaxNode): ClassCode;
  type(node: SyntaxNode | undefined): Type | undefined;
  within(place: Partial<Pick<Unit, 'className' | 'namespace' | 'hidden' | 'local'>>): Unit;
}
