import type { CallContext } from '../caller.js';
import { ServiceError } from '../errors.js';
import { networkOf } from '../network.js';
import type { RateLimits } from '../services.js';
import type { CoreConfig } from '../boot/config.js';

const WINDOW_SECONDS = 60;

/** Counts a call against its caller's limit for a domain and verb (`search:read`). Throws RATE_LIMITED. */
export type LimitCall = (call: CallContext, scope: string) => Promise<void>;

/** The limits on calls from outside; those of the deployment's own owner are not counted. */
export function createCallLimits(limits: RateLimits, settings: CoreConfig['limits']): LimitCall {
  return async (call, scope) => {
    const { caller, peer } = call;
    if (caller.kind === 'owner') return;
    const anonymous = caller.kind === 'anonymous';
    const limit = anonymous
      ? settings.open_per_minute
      : scope.endsWith(':write')
        ? settings.write_per_minute
        : settings.read_per_minute;
    if (limit === 0) return;
    const key = anonymous ? `open ${networkOf(peer ?? '')}` : `${caller.userId} ${scope}`;
    const rate = await limits.take(key, { limit, windowSeconds: WINDOW_SECONDS });
    call.remark?.({ rate });
    if (rate.allowed) return;
    throw new ServiceError(
      'RATE_LIMITED',
      `You have made the ${limit} calls of ${anonymous ? 'this kind' : scope} that a minute allows. Try again in ${rate.resetSeconds} s.`,
      { details: { limit, retry_after: rate.resetSeconds } },
    );
  };
}
