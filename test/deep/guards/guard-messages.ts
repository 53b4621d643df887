/**
 * The property of `globalThis` with the index of the guard that is removed now, and the environment variable that tells it to
 * processes that a test starts.
 */
export const REMOVED_GUARD = 'TEST_REMOVED_GUARD';

/** What the process is asked to run: the tests of all guards, or that of the guard of this index without the guard. */
export interface Request {
  readonly without?: number;
}

/** A test that ran, or a hook that failed. */
export interface Ran {
  /** As in the list of guards. */
  readonly test: string;
  readonly fullTitle: string;
  readonly isHook: boolean;
}

/** The outcome of a run. */
export interface Outcome {
  readonly passed: readonly Ran[];
  readonly failed: readonly Ran[];
  /** A test did not end in its time, and may still run. */
  readonly hangs: boolean;
  /** Messages of failures, and other problems, such as a file that does not load. */
  readonly trouble: string;
}
