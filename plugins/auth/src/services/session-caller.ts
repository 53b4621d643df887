import type { Caller } from '@service-mcp/core';
import type { Account } from './accounts.js';

/** Who acts in a session of his own, as the audit log names him. */
export function sessionCaller({ id, name }: Pick<Account, 'id' | 'name'>, credentialId?: string): Caller {
  return {
    kind: 'session',
    userId: id,
    name,
    scopes: ['*'],
    ...(credentialId !== undefined && { credentialId }),
  };
}
