import type { Argument, ClassCode, Expression, FunctionCode, Statement } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** A Ruby file that is being lowered. The files of this folder call each other through it. */
export interface Ruby {
  readonly lowering: Lowering;
  /** Local variables of the method around the place: other bare names are calls. */
  readonly locals: ReadonlySet<string>;
  /** The constant of the class or module around the place. */
  readonly className?: SyntaxNode;
  /** Name of the method around the place, for `super`. */
  readonly method?: string;
  expression(node: SyntaxNode): Expression;
  /** The statements of some nodes, in order. */
  statements(nodes: readonly SyntaxNode[]): Statement[];
  /** Statements of which the last returns its value. */
  returning(nodes: readonly SyntaxNode[]): Statement[];
  /** Arguments of a call with its block, which is the argument `&`. */
  arguments(list: SyntaxNode | undefined, block: SyntaxNode | undefined): Argument[];
  /** A method, block or lambda: parameters and body. */
  function(node: SyntaxNode, extra?: Partial<FunctionCode>): FunctionCode;
  /** The class that a call makes. Undefined for other calls. */
  madeClass(node: SyntaxNode): ClassCode | undefined;
  within(place: Partial<Pick<Ruby, 'locals' | 'className' | 'method'>>): Ruby;
}

/** The name of the block of a method: as its parameter and as the argument of its calls. */
export const BLOCK = '&';
