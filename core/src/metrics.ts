import { token } from './token.js';

/** Values of the labels of a series. Each must come from a small set: a series is kept for every combination. */
export type Labels<L extends string> = Readonly<Record<L, string>>;

/** Writes one series of a gauge; labels are left out where it has none. */
export type SetGauge<L extends string> = (value: number, labels?: Labels<L>) => void;

export interface MetricDefinition<L extends string> {
  /** Prometheus style: `bookmarks_checks_total`, of `[a-z0-9_]`. One metric a name in a process. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

/** Prometheus metrics of this process, shown at `/metrics`. A name that is taken throws, and names both owners. */
export interface Metrics {
  /** Returns how to add to it. */
  counter<const L extends string = never>(
    definition: MetricDefinition<L>,
  ): (by?: number, labels?: Labels<L>) => void;
  /**
   * `read` is called at each scrape and sets every series again. If it throws, the scrape goes on without this
   * metric and the failure is logged.
   */
  gauge<const L extends string = never>(
    definition: MetricDefinition<L> & { read(set: SetGauge<L>): void | Promise<void> },
  ): void;
  /** Returns how to observe a value; `buckets` are upper bounds, ascending. */
  histogram<const L extends string = never>(
    definition: MetricDefinition<L> & { readonly buckets: readonly number[] },
  ): (value: number, labels?: Labels<L>) => void;
}
export const Metrics = token<Metrics>('core.Metrics');
