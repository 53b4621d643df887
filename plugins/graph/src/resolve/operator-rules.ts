/** Functions of types that run operators. */
export interface OperatorRules {
  /** Names of functions that may run it: the first that an operand has does. Empty for an operator that is built in. */
  readonly names: (operator: string, operands: number) => readonly string[];
  /** Members of the second operand that run it where the first operand has no such function: `__radd__`. */
  readonly reflected?: (operator: string) => readonly string[];
  /** The member that an operator is about, which a function of it runs for only where the class lacks it: PHP. */
  readonly missing?: (operator: string) => string | undefined;
  /** Operators that join texts where no function runs them, and the member that gives the text of an operand. */
  readonly text?: { readonly operators: ReadonlySet<string>; readonly member: string };
  /** True for an operator that loops over its first operand where no function runs it: `in`. */
  readonly loops?: (operator: string) => boolean;
  /** True for an operator that makes a collection of others. */
  readonly joins?: (operator: string) => boolean;
  /**
   * Where the functions are. `static`: in the class of any operand, taking all operands; `beside`: members of the first
   * operand, or functions in a scope around the class of an operand. Default: members of the first operand.
   */
  readonly place?: 'static' | 'beside';
  /** An operator that removes an element of a list, so that those after it change their places: `del`. */
  readonly shifts?: (operator: string) => boolean;
}
