import type { Selectivity } from './pattern-queries.js';

/** One pattern: medians in milliseconds, and whether both found the same lines. */
export interface PatternRow {
  readonly query: string;
  readonly selectivity: Selectivity;
  /** Matching lines, as ripgrep counts them. */
  readonly lines: number;
  readonly ours: number;
  readonly ripgrep: number;
  /** Where there are more results than pages reach, the numbers of matches are compared. */
  readonly same: boolean;
}

/** Figures of one index size. */
export interface PatternFigures {
  readonly chunks: number;
  readonly files: number;
  readonly bytes: number;
  readonly segments: number;
  readonly indexBytes: number;
  readonly rows: readonly PatternRow[];
}
