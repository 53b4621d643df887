/**
 * A score in five digits. LanceDB adds the weights of terms in an order that depends on the limit, so that further digits
 * differ from one page to the next.
 */
export function roundScore(score: number): number {
  return Number(score.toPrecision(5));
}
