import type { Floats, Kernels } from './kernels.js';

const DECAY = 0.9;
const SQUARE_DECAY = 0.999;

/** Adam (Kingma and Ba, ICLR 2015) over rows of a table; a step touches only the rows that it is given. */
export class Adam {
  readonly #kernels: Kernels;
  readonly #width: number;
  readonly #tables: Readonly<Record<'rows' | 'means' | 'squares' | 'gradients', Floats>>;
  /** Steps of each row. */
  readonly #steps: Uint32Array;
  /** The correction of means and squares after so many steps, which begin at zero: a power takes longer than a whole row. */
  readonly #corrections = [0];

  constructor(kernels: Kernels, rows: Floats, gradients: Floats, width: number) {
    this.#kernels = kernels;
    this.#width = width;
    this.#tables = {
      rows,
      gradients,
      means: kernels.floats(rows.length),
      squares: kernels.floats(rows.length),
    };
    this.#steps = new Uint32Array(rows.length / width);
  }

  /** Moves the rows `ids`, each once, against their gradients, which it clears. */
  step(ids: Uint32Array, rate: number): void {
    const rates = Float32Array.from(ids, (id) => rate * this.#correctionAfter(++this.#steps[id]!));
    this.#kernels.adam(this.#tables, ids, rates, this.#width);
  }

  #correctionAfter(steps: number): number {
    return (this.#corrections[steps] ??= Math.sqrt(1 - SQUARE_DECAY ** steps) / (1 - DECAY ** steps));
  }
}
