import { relative } from 'node:path';
import Mocha from 'mocha';

const { EVENT_HOOK_END, EVENT_TEST_END } = Mocha.Runner.constants;
const LISTED = 10;

/** Adds up the time of tests and hooks of each file of a run. */
export class SlowestFiles {
  readonly #milliseconds = new Map<string, number>();

  constructor(runner: Mocha.Runner) {
    const add = ({ file, duration = 0 }: Mocha.Runnable) => {
      if (file) this.#milliseconds.set(file, (this.#milliseconds.get(file) ?? 0) + duration);
    };
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
  }

  print(): void {
    const slowest = [...this.#milliseconds].sort(([, one], [, other]) => other - one).slice(0, LISTED);
    process.stdout.write('\n  slowest files:\n');
    for (const [file, milliseconds] of slowest) {
      const seconds = (milliseconds / 1000).toFixed(1).padStart(8);
      process.stdout.write(`${seconds} s  ${relative(process.cwd(), file)}\n`);
    }
  }
}
