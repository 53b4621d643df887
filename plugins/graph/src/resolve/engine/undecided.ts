import { prefixOfKey } from '../compile/keys.js';
import type { Solver } from '../solver.js';
import { currentWork, switchWork, type FileWork } from '../file-work.js';
import type { Node } from '../node.js';

interface Task {
  readonly work: FileWork;
  readonly run: () => void;
}

/** What is done where no value decided it. */
export class Undecided {
  readonly #solver: Solver;
  #tasks: Task[] = [];

  constructor(solver: Solver) {
    this.#solver = solver;
  }

  add(run: () => void): void {
    this.#tasks.push({ work: currentWork(), run });
  }

  /** Calls back with each key that a computed one may be; with none where that is not known. */
  withKey(computed: Node, use: (key: string | undefined) => void): void {
    this.#solver.watch(computed, (value) => {
      const key = value.kind === 'instance' ? value.constant?.key : undefined;
      use(key === undefined || prefixOfKey(key) !== undefined ? undefined : key);
    });
    this.add(() => {
      if (!computed.values) use(undefined);
    });
  }

  /** Runs the tasks in their order, each with the values that those before it brought. */
  settle(): void {
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks;
      this.#tasks = [];
      for (const { work, run } of tasks) {
        switchWork(work);
        run();
        this.#solver.run();
      }
    }
  }
}
