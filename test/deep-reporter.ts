import Mocha from 'mocha';
import { SlowestFiles } from './slowest-files.js';

/** Mocha's tree of tests and summary, before it the slowest files. */
export default class DeepReporter extends Mocha.reporters.Spec {
  readonly #slowest: SlowestFiles;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    this.#slowest = new SlowestFiles(runner);
  }

  override epilogue(): void {
    this.#slowest.print();
    super.epilogue();
  }
}
