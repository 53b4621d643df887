import type { Latency } from './latency.js';

export const MODES = ['keyword', 'semantic', 'hybrid', 'pattern'] as const;
export type Mode = (typeof MODES)[number];

/** What one size of the index was measured at. */
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
