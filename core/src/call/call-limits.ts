import { amendCall } from '../call.js';
import type { CallContext } from '../caller.js';
import { ServiceError } from '../errors.js';
import { networkOf } from '../network.js';
import type { RateLimits } from '../services.js';
import type { CoreConfig } from '../boot/config.js';

const WINDOW_SECONDS = 60;

/** What messages are counted as whose body names the tool. */
const MESSAGES = 'messages';

/**
 * Counts a call against its caller's limit for a domain and verb (`search:read`), unless it was counted before its body
 * was read. Throws RATE_LIMITED.
 */
export type LimitCall = (call: CallContext, scope: string) => Promise<void>;

/** Counts calls before their bodies are read; see HttpMount.call. Throws RATE_LIMITED. */
export type LimitRequest = (
  call: CallContext,
  rate: { readonly tool: string } | 'messages',
) => Promise<CallContext>;

/** The limits on calls from outside; those of the deployment's own owner are not counted. */
export function createCallLimits(limits: RateLimits, settings: CoreConfig['limits']): LimitCall {
  return async (call, scope) => {
    const { caller, peer } = call;
    if (caller.kind === 'owner' || call.counted?.take(scope)) return;
    const anonymous = caller.kind === 'anonymous';
    const limit = anonymous
      ? settings.open_per_minute
      : scope === MESSAGES
        ? settings.messages_per_minute
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

/** `groupOf`: the domain and verb of a tool. */
export function createRequestLimits(limit: LimitCall, groupOf: (tool: string) => string): LimitRequest {
  return async (call, rate) => {
    if (call.caller.kind === 'owner') return call;
    if (rate === MESSAGES) {
      await limit(call, MESSAGES);
      return call;
    }
    let group: string | undefined = groupOf(rate.tool);
    await limit(call, group);
    const take = (scope: string): boolean => {
      if (scope !== group) return false;
      group = undefined;
      return true;
    };
    return amendCall(call, { counted: { take } });
  };
}
