/** What holds if a condition holds, and if it does not. */
export interface Proof<Fact> {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
}

/** Facts that one place has: each is repeated at every place where it holds. Only hostile and generated texts have more. */
export const MAX_FACTS = 50;

export const NOTHING: Proof<never> = { yes: [], no: [] };

export function negated<Fact>({ yes, no }: Proof<Fact>): Proof<Fact> {
  return { yes: no, no: yes };
}

/** Of conditions that all hold: if they do not, any of them may be the reason. */
export function allOf<Fact>(proofs: ReadonlyArray<Proof<Fact>>): Proof<Fact> {
  return { yes: proofs.flatMap(({ yes }) => yes).slice(0, MAX_FACTS), no: [] };
}

/** Of conditions of which one holds. */
export function anyOf<Fact>(proofs: ReadonlyArray<Proof<Fact>>): Proof<Fact> {
  return { yes: [], no: proofs.flatMap(({ no }) => no).slice(0, MAX_FACTS) };
}
