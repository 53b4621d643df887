/** Steps of the solver at the nodes that the code of one file made. */
export class FileWork {
  steps = 0;
  /** More of them end the resolution. */
  maxSteps = Infinity;
}

let current = new FileWork();

/** Of the file whose code is compiled, installed or run: nodes that are made meanwhile are its own. */
export function currentWork(): FileWork {
  return current;
}

/** Goes on with the code of another file. Returns the work of the one before. */
export function switchWork(to: FileWork): FileWork {
  const before = current;
  current = to;
  return before;
}
