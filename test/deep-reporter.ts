import Mocha from 'mocha';
import { FailedFiles } from './failed-files.js';
import { SlowestFiles } from './slowest-files.js';

/** Mocha's tree of tests and summary, before it the slowest files and those without a result. */
export default class DeepReporter extends Mocha.reporters.Spec {
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
  }
}
