import { ServiceError, type AdmittedCall } from '@service-mcp/core';

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
