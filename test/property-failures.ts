import fc from 'fast-check';

/** Reporters print the message alone: it has the assertion that failed, not just the counterexample. */
fc.configureGlobal({ includeErrorInReport: true });
