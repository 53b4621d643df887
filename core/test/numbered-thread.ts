// What the threads of thread.test.ts run.
const number = Math.random();

/** The same for all tasks of a thread. */
export function numberOfThread(): number {
  return number;
}

export function hang(): never {
  for (;;);
}

export function fail(): never {
  throw new Error('a task that fails');
}
