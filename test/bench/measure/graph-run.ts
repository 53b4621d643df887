/** What building the graph of a folder took, and one query over it. */
export interface GraphRun {
  readonly files: number;
  readonly bytes: number;
  readonly symbols: number;
  /** Files with errors of syntax, or cut. */
  readonly partial: number;
  readonly edges: number;
  readonly seconds: number;
  /** Of these, for parsing alone; 0 where it is not known. */
  readonly parseSeconds: number;
  readonly peakBytes: number;
  /** Median time of the impact of the hottest symbol, three steps deep. */
  readonly impactMs: number;
  readonly affected: number;
  readonly name: string;
}

/** What resolving a folder takes in the thread of the service. */
export interface GraphMemory {
  readonly files: number;
  /** Highest resident memory of the process after its first text. */
  readonly bareBytes: number;
  /** After all texts. */
  readonly parsedBytes: number;
  /** After the resolution. */
  readonly peakBytes: number;
  readonly parseCpuSeconds: number;
  readonly resolveCpuSeconds: number;
}
