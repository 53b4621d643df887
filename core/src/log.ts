import { token } from './token.js';

/** Structured log; `error` fields named `err` keep their stack. Secrets are redacted by key name. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}
export const Log = token<Log>('core.Log');
