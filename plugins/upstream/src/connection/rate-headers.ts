import type { CallContext } from '@service-mcp/core';

/** Forwards the service's rate limit and idempotency headers to the gateway's client. */
export function forwardRateHeaders(call: Pick<CallContext, 'remark'>, headers: Headers): void {
  if (headers.get('idempotency-replayed') === 'true') call.remark?.({ replayed: true });
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`ratelimit-${name}`) ?? Number.NaN),
  );
  if (!isCount(limit) || !isCount(remaining) || !isCount(resetSeconds)) return;
  const allowed = !headers.has('retry-after');
  call.remark?.({ rate: { allowed, limit, remaining, resetSeconds } });
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
