import type { Unit } from '../program.js';

/**
 * Functions that the calls of one file look at to choose among those of a name, again and again as values arrive. Generated
 * code with thousands of overloads, and a call of each, would look at ten millions. Real files stay below 100,000.
 */
const MAX_CANDIDATES = 2_000_000;
const TOO_COMPLEX =
  'The file is too complex: its calls choose among too many functions of one name; further ones are unresolved.';

/** Bounds the choices of each file, so that one does not hold the resolution of all. Counts work, not time. */
export class ChoiceBudget {
  readonly #spent = new Map<Unit, number>();

  /** Counts a choice of a file. False where the file has no room for it: its graph says so. */
  affords(unit: Unit, candidates: number): boolean {
    if (candidates < 2) return true;
    const spent = (this.#spent.get(unit) ?? 0) + candidates;
    this.#spent.set(unit, spent);
    if (spent <= MAX_CANDIDATES) return true;
    unit.note ??= TOO_COMPLEX;
    return false;
  }

  /** True for a file that had to leave out a choice. */
  isSpent(unit: Unit): boolean {
    return (this.#spent.get(unit) ?? 0) > MAX_CANDIDATES;
  }
}
