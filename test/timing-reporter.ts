import Mocha from 'mocha';
import { FailedFiles } from './failed-files.js';
import { SlowestFiles } from './slowest-files.js';

/** Mocha's dots and summary. Before them the slowest files and those without a result; last `N passed, N failed`. */
export default class TimingReporter extends Mocha.reporters.Dot {
  readonly #slowest: SlowestFiles;
  readonly #failed: FailedFiles;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    this.#slowest = new SlowestFiles(runner);
    this.#failed = new FailedFiles(runner);
  }

  override epilogue(): void {
    this.#slowest.print();
    this.#failed.print();
    super.epilogue();
    const { passes, failures } = this.stats;
    process.stdout.write(`${passes} passed, ${failures} failed\n`);
  }
}
