import { ServiceError, type AdmittedCall } from '@service-mcp/core';
import { accountView, type ProvenAccount } from '../services/account-store.js';
import { sessionCaller, type Sessions } from '../services/sessions.js';

/** The peer for counting attempts; a call in this process has no address. */
export function peerOf({ peer }: AdmittedCall): string {
  return peer ?? 'local';
}

/** Runs work that counts attempts; when it is rate-limited, the response headers say when to retry. */
export async function withLoginRate<T>(call: AdmittedCall, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'RATE_LIMITED') {
      const { limit, retry_after: resetSeconds } = error.details as { limit: number; retry_after: number }; // LoginThrottle's
      call.remark?.({ rate: { allowed: false, limit, remaining: 0, resetSeconds } });
    }
    throw error;
  }
}

/** Starts a session for the account that `proving` resolves to: the result of a login and of a registration. */
export async function beginLogin(call: AdmittedCall, sessions: Sessions, proving: Promise<ProvenAccount>) {
  const account = await withLoginRate(call, proving);
  const { sessionId, tokens } = await sessions.begin(account);
  call.remark?.({ caller: sessionCaller(account, sessionId) });
  return { user: accountView(account), ...tokens };
}
