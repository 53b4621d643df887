import { ServiceError, type AdmittedCall } from '@service-mcp/core';
import type { Account } from '../services/accounts.js';

/** An account as its owner sees it. */
export function userOf({ id, email, name, created_at }: Account) {
  return { id, email, name, created_at };
}

/** Who is at the other end, for counting tries; a call in this process has no address. */
export function peerOf({ peer }: AdmittedCall): string {
  return peer ?? 'local';
}

/** Waits for work that counts tries; where there were too many, the answer says in its headers when to come again. */
export async function withRate<T>(call: AdmittedCall, work: Promise<T>): Promise<T> {
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
