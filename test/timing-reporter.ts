import { relative } from 'node:path';
import Mocha from 'mocha';

const { EVENT_HOOK_END, EVENT_TEST_END } = Mocha.Runner.constants;
const LISTED = 10;

/** Mocha's dots and summary. Before them the slowest files, by the time of their tests and hooks; last `N passed, N failed`. */
export default class TimingReporter extends Mocha.reporters.Dot {
  readonly #milliseconds = new Map<string, number>();

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const add = ({ file, duration = 0 }: Mocha.Runnable) => {
      if (file) this.#milliseconds.set(file, (this.#milliseconds.get(file) ?? 0) + duration);
    };
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
  }

  override epilogue(): void {
    const slowest = [...this.#milliseconds].sort(([, one], [, other]) => other - one).slice(0, LISTED);
    process.stdout.write('\n  slowest files:\n');
    for (const [file, milliseconds] of slowest) {
      const seconds = (milliseconds / 1000).toFixed(1).padStart(8);
      process.stdout.write(`${seconds} s  ${relative(process.cwd(), file)}\n`);
    }
    super.epilogue();
    const { passes, failures } = this.stats;
    process.stdout.write(`${passes} passed, ${failures} failed\n`);
  }
}
