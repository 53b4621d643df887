import Mocha from 'mocha';
import { SlowestFiles } from './slowest-files.js';

/** Mocha's dots and summary. Before them the slowest files; last `N passed, N failed`. */
export default class TimingReporter extends Mocha.reporters.Dot {
  readonly #slowest: SlowestFiles;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    this.#slowest = new SlowestFiles(runner);
  }

  override epilogue(): void {
    this.#slowest.print();
    super.epilogue();
    const { passes, failures } = this.stats;
    process.stdout.write(`${passes} passed, ${failures} failed\n`);
  }
}
