const DECAY = 0.9;
const SQUARE_DECAY = 0.999;

/** Adam (Kingma and Ba, ICLR 2015) over rows of a table; a step touches only the rows that it is given. */
export class Adam {
  readonly #table: Float32Array;
  readonly #width: number;
  readonly #means: Float32Array;
  readonly #squares: Float32Array;
  /** Steps of each row. */
  readonly #steps: Uint32Array;
  /** What means and squares lack after so many steps, which begin at zero: a power takes longer than a whole row. */
  readonly #lacks = [{ mean: 0, root: 0 }];
  /** To add to before a step, which clears what it used. */
  readonly gradients: Float32Array;

  constructor(table: Float32Array, width: number) {
    this.#table = table;
    this.#width = width;
    this.#means = new Float32Array(table.length);
    this.#squares = new Float32Array(table.length);
    this.#steps = new Uint32Array(table.length / width);
    this.gradients = new Float32Array(table.length);
  }

  step(rows: Iterable<number>, rate: number): void {
    for (const row of rows) this.#stepRow(row, rate);
  }

  #stepRow(row: number, rate: number): void {
    const table = this.#table;
    const means = this.#means;
    const squares = this.#squares;
    const gradients = this.gradients;
    const steps = ++this.#steps[row]!;
    const lack = (this.#lacks[steps] ??= {
      mean: 1 - DECAY ** steps,
      root: Math.sqrt(1 - SQUARE_DECAY ** steps),
    });
    const scaled = (rate * lack.root) / lack.mean;
    const end = (row + 1) * this.#width;
    for (let at = row * this.#width; at < end; at++) {
      const gradient = gradients[at]!;
      means[at] = DECAY * means[at]! + (1 - DECAY) * gradient;
      squares[at] = SQUARE_DECAY * squares[at]! + (1 - SQUARE_DECAY) * gradient * gradient;
      // Both are read back rounded to 32 bits, of which divisions and roots are twice as fast.
      table[at]! -= (scaled * means[at]!) / (Math.sqrt(squares[at]!) + 1e-10);
      gradients[at] = 0;
    }
  }
}
