/** A cell that is a number is shown with as many digits as it deserves. */
export type Cell = string | number;

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly Cell[]>;
}

export interface Outcome {
  readonly tables: readonly Table[];
  /** What the figures show and do not show: one or two sentences each, made from the figures. */
  readonly reading: readonly string[];
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  /** The compared systems, and the method. */
  readonly method: string;
  /** A reason to leave it out on this machine; undefined where it can run. */
  skip?(): string | undefined;
  run(report: (line: string) => void): Promise<Outcome>;
}
