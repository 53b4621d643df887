import type { LanguageRules } from '../language-rules.js';
import type { Instance } from '../values.js';

const SHIFT = /^(?:<<|>>>?)/;

/** Finds the builtin type that an operator gives for numbers, booleans and strings. */
export class Arithmetic {
  readonly #rules: LanguageRules;
  readonly #operator: string;
  #text = false;
  #truth = false;
  #widest = -1;

  constructor(rules: LanguageRules, operator: string) {
    this.#rules = rules;
    this.#operator = operator;
  }

  /** Notes an operand of a builtin type. A shift gives the type of the first. */
  add({ class: { name = '' } }: Instance, index: number): void {
    if (index > 0 && SHIFT.test(this.#operator)) return;
    const { literals, conversions = {}, numbers = [] } = this.#rules;
    if (name === literals?.string) this.#text = true;
    const names = [name, ...(Object.hasOwn(conversions, name) ? (conversions[name] ?? []) : [])];
    if (names.includes(literals?.boolean ?? '')) this.#truth = true;
    // A type that is not one of the results, as a byte, counts as the first that it converts to.
    const own = numbers.indexOf(name);
    const ranks = own >= 0 ? [own] : names.map((each) => numbers.indexOf(each)).filter((rank) => rank >= 0);
    this.#widest = Math.max(this.#widest, ranks.length > 0 ? Math.min(...ranks) : -1);
  }

  /** The name of the type; undefined where the operands do not tell. */
  get result(): string | undefined {
    const { literals, numbers = [] } = this.#rules;
    if (this.#operator === '+' && this.#text) return literals?.string;
    return numbers[this.#widest] ?? (this.#truth ? literals?.boolean : undefined);
  }
}
