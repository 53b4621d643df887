import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';

/** Mocha's title of what failed with a file, not in a test of it: it could not be loaded, or its process ended. */
const OUTSIDE = 'Uncaught error outside test suite';

const UNKNOWN = 'a file without a name';

/** Files of a run with a test that failed, or without a result. */
export class FailedFiles {
  readonly #files = new Set<string>();
  readonly #lost = new Map<string, string>();

  constructor(runner: Mocha.Runner) {
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, ({ title, file }: Mocha.Test, error: unknown) => {
      const name = file ? relative(process.cwd(), file) : UNKNOWN;
      this.#files.add(name);
      if (title === OUTSIDE) this.#lost.set(name, String(error));
    });
  }

  /** Prints those without a result, and writes the names of all to the file that FAILED_FILES names, where it is set. */
  print(): void {
    for (const [file, reason] of this.#lost) process.stdout.write(`\n  no result of ${file}: ${reason}\n`);
    const list = process.env['FAILED_FILES'];
    if (list) writeFileSync(list, JSON.stringify([...this.#files]));
  }
}
