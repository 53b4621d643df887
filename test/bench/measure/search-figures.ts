import type { Latency } from './latency.js';

export const MODES = ['keyword', 'semantic', 'hybrid', 'pattern'] as const;
export type Mode = (typeof MODES)[number];

/** Figures of one index size. */
export interface SearchFigures {
  readonly chunks: number;
  readonly files: number;
  readonly trained: boolean;
  readonly rss: number;
  readonly rows: ReadonlyArray<{
    readonly mode: Mode;
    readonly concurrency: number;
    readonly ours: Latency;
    readonly raw: Latency;
  }>;
}
