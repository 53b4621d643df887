/** tree-sitter reports its progress each time it has done so many operations. */
const STEPS_PER_REPORT = 100;
/** Real code takes 0.2 to 1.4 for a character, measured over seven languages; what its grammar finds ambiguous takes 10. */
const STEPS_PER_CHARACTER = 20;
const MIN_STEPS = 200_000;

/** The operations that the parser may take for one text, all its attempts together: a function of the text, not of time. */
export class ParseBudget {
  #left: number;

  constructor(text: string) {
    this.#left = MIN_STEPS + STEPS_PER_CHARACTER * text.length;
  }

  /** Counts a report of progress. True where no step is left. */
  readonly spend = (): boolean => {
    this.#left -= STEPS_PER_REPORT;
    return this.isSpent;
  };

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** For a tree that takes too long to read. */
  exhaust(): void {
    this.#left = -1;
  }
}
