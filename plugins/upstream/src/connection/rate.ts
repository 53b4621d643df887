import type { CallContext } from '@service-mcp/core';

/** Gives on where the caller stands in a limit of the service, so that the gateway's client gets the same headers. */
export function remarkOnRate(call: Pick<CallContext, 'remark'>, headers: Headers): void {
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
