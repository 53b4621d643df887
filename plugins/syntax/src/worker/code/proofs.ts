/** What holds if a condition holds, and if it does not. */
export interface Proof<Fact> {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

export const NOTHING: Proof<never> = { yes: [], no: [] };

export function negated<Fact>({ yes, no }: Proof<Fact>): Proof<Fact> {
  return { yes: no, no: yes };
}

/** Of conditions that all hold: if they do not, any of them may be the reason. */
export function allOf<Fact>(proofs: ReadonlyArray<Proof<Fact>>): Proof<Fact> {
  return { yes: proofs.flatMap(({ yes }) => yes), no: [] };
}

/** Of conditions of which one holds. */
export function anyOf<Fact>(proofs: ReadonlyArray<Proof<Fact>>): Proof<Fact> {
  return { yes: [], no: proofs.flatMap(({ no }) => no) };
}
