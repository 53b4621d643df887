import type { Func } from '../declarations.js';
import type { Unit } from '../program.js';

/**
 * Functions that the calls of one file look at to choose among those of a name, again and again as values arrive. Generated
 * code with thousands of overloads, and a call of each, would look at ten millions. Real files stay below 100,000.
 */
const MAX_CANDIDATES = 2_000_000;
/** The same for a file that declares them, whose calls are in others; of names with so many functions as few have. */
const MAX_DECLARED = 4_000_000;
const MANY = 100;
const CALLS_MANY =
  'The file is too complex: its calls choose among too many functions of one name; further ones are unresolved.';
const DECLARES_MANY =
  'The file is too complex: it declares so many functions of one name that further calls of them are unresolved.';

/** Bounds the choices of each file, so that one does not hold the resolution of all. Counts work, not time. */
export class ChoiceBudget {
  readonly #spent = new Map<Unit, number>();
  readonly #declared = new Map<Unit, number>();

  /**
   * Counts a choice of a file, which looks at each function so many times. False where the file, or the one that declares
   * the functions, has no room for it: its graph says so.
   */
  affords(unit: Unit, functions: readonly Func[], times = 1): boolean {
    const [first] = functions;
    if (!first || functions.length < 2) return true;
    const candidates = functions.length * times;
    this.#spent.set(unit, (this.#spent.get(unit) ?? 0) + candidates);
    const declaring = first.unit;
    if (functions.length > MANY)
      this.#declared.set(declaring, (this.#declared.get(declaring) ?? 0) + candidates);
    if (!this.isSpent(unit, declaring)) return true;
    if ((this.#spent.get(unit) ?? 0) > MAX_CANDIDATES) unit.note ??= CALLS_MANY;
    else declaring.note ??= DECLARES_MANY;
    return false;
  }

  /** True for a file that had to leave out a choice, or where another had to because of the functions of this one. */
  isSpent(unit: Unit, declaring: Unit): boolean {
    return (
      (this.#spent.get(unit) ?? 0) > MAX_CANDIDATES || (this.#declared.get(declaring) ?? 0) > MAX_DECLARED
    );
  }
}
