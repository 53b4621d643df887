/** A cell that is a number is shown with as many digits as it deserves. */
export type Cell = string | number;

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly Cell[]>;
}

export interface Outcome {
  readonly tables: readonly Table[];
  /** What the figures say and what they do not: one sentence or two each, made from the figures. */
  readonly reading: readonly string[];
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  /** What is compared with what, and how. */
  readonly method: string;
  /** A reason to leave it out on this machine; undefined where it can run. */
  skip?(): string | undefined;
  run(report: (line: string) => void): Promise<Outcome>;
}
