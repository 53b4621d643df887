import type { Caller } from '@service-mcp/core';
import type { Account } from './accounts.js';

/** The caller of a session, for the audit log. */
export function sessionCaller({ id, name }: Pick<Account, 'id' | 'name'>, credentialId?: string): Caller {
  return {
    kind: 'session',
    userId: id,
    name,
    scopes: ['*'],
    ...(credentialId !== undefined && { credentialId }),
  };
}
