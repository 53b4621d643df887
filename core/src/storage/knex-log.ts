/** For knex, which writes to standard output otherwise: every failure is thrown to somebody who tells of it. */
export const NO_LOG = {
  error: () => undefined,
  warn: () => undefined,
  debug: () => undefined,
  deprecate: () => undefined,
};
