import type { Expression, Statement, Tested, Type, TypeParameter } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import type { SyntaxNode } from '../syntax-node.js';

/** The module, class or function whose statements are lowered. */
export interface Frame {
  readonly kind: 'module' | 'class' | 'function';
  /** Names that `global` and `nonlocal` bind outside of the function. */
  readonly outer: Set<string>;
  /** Set by a `yield`. */
  generator: boolean;
  /** Type variables that the classes around declare. */
  readonly typeNames: ReadonlySet<string>;
}

/** A Python file that is being lowered. It carries the recursive functions, because modules must not import in cycles. */
export interface Context {
  readonly lowering: Lowering;
  readonly frame: Frame;
  /** Names of the file that are bound to a `TypeVar`. */
  readonly typeVariables: ReadonlyMap<string, TypeParameter>;
  /** The type variable that stands for the class of the receiver: `T` in `def a(self: T) -> T`. */
  readonly receiverType?: string | undefined;
  /** What conditions around the code in its function tell of names. */
  readonly tested: readonly Tested[];
  expression(node: SyntaxNode, context: Context): Expression;
  body(node: SyntaxNode, context: Context): Statement[];
  type(node: SyntaxNode, context: Context, names?: Set<string>): Type;
}

export function within(context: Context, kind: Frame['kind'], typeNames = context.frame.typeNames): Context {
  return { ...context, tested: [], frame: { kind, outer: new Set(), generator: false, typeNames } };
}

export const NONE: Expression = { kind: 'literal', type: 'null' };
