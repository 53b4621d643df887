/**
 * Which group of files a thread resolves: memory that it shares with the service, which reads there what a thread hangs or
 * ended at. The number of groups begun, then 1 for each file of the current one, in the order of the task.
 */
export class ResolveProgress {
  readonly shared: Int32Array;

  constructor(shared: Int32Array) {
    this.shared = shared;
  }

  static ofFiles(files: number): ResolveProgress {
    return new ResolveProgress(
      new Int32Array(new SharedArrayBuffer((files + 1) * Int32Array.BYTES_PER_ELEMENT)),
    );
  }

  get groups(): number {
    return Atomics.load(this.shared, 0);
  }

  /** Indexes of the files of the current group. */
  get files(): number[] {
    const files: number[] = [];
    for (let at = this.shared.indexOf(1, 1); at >= 0; at = this.shared.indexOf(1, at + 1)) files.push(at - 1);
    return files;
  }

  begin(files: Iterable<number>): void {
    this.shared.fill(0, 1);
    for (const file of files) this.shared[file + 1] = 1;
    Atomics.add(this.shared, 0, 1);
  }
}
