import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

/** Mocha's title of what failed with a file, not in a test of it. */
const OUTSIDE = 'Uncaught error outside test suite';

/** Files of a run that gave no result: they could not be loaded, or their process ended. */
export class LostFiles {
  readonly #reasons = new Map<string, string>();

  constructor(runner: Mocha.Runner) {
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, ({ title, file }: Mocha.Test, error: unknown) => {
      if (title === OUTSIDE && file) this.#reasons.set(relative(process.cwd(), file), String(error));
    });
  }

  /** Prints them, and writes their names to the file that LOST_FILES names, where it is set. */
  print(): void {
    for (const [file, reason] of this.#reasons) process.stdout.write(`\n  no result of ${file}: ${reason}\n`);
    const list = process.env['LOST_FILES'];
    if (list) writeFileSync(list, JSON.stringify([...this.#reasons.keys()]));
  }
}
