import type { Statement } from '../../code.js';

/** A file in which expressions declare variables: patterns, `out` arguments. */
export interface PatternVariables {
  /** Declarations of the statement that is being lowered. */
  readonly patternVariables: Statement[];
}

/** Lowers a construct of its own scope: the variables that its patterns declare, apart from those of the code around it. */
export function withVariables<Lowered>(
  { patternVariables }: PatternVariables,
  lower: () => Lowered,
): { readonly lowered: Lowered; readonly declared: readonly Statement[] } {
  const outside = patternVariables.splice(0);
  const lowered = lower();
  const declared = patternVariables.splice(0);
  patternVariables.push(...outside);
  return { lowered, declared };
}
