import { uuidv7 } from '../id.js';
import type { Caller } from '../caller.js';

/** A caller other than the local owner, with the fields of a test. */
export function callerWith(init: Partial<Caller> = {}): Caller {
  return { kind: 'api_key', userId: uuidv7(), name: 'test caller', scopes: ['*'], ...init };
}
