import { RateLimits, ServiceError, networkOf, provide, token } from '@service-mcp/core';
import { config } from '../config.js';

/** Limits attempts to guess secrets, before the expensive hashing. Counts are in the database. */
export interface LoginThrottle {
  /** Counts one login attempt. Throws RATE_LIMITED. */
  tryLogin(email: string, peer: string): Promise<void>;
  /** Resets the count of this peer and address after a successful login. */
  succeeded(email: string, peer: string): Promise<void>;
  /** Counts one attempt without an address (a registration, a reset) from a peer. Throws RATE_LIMITED. */
  tryFrom(what: string, peer: string): Promise<void>;
}
export const LoginThrottle = token<LoginThrottle>('auth.LoginThrottle');

export const loginThrottle = provide(LoginThrottle, {
  uses: { limits: RateLimits, settings: config.token },
  create({ limits, settings }) {
    const windowSeconds = settings.login_window_seconds;
    const count = async (key: string, limit: number): Promise<void> => {
      const { allowed, resetSeconds } = await limits.take(key, { limit, windowSeconds });
      if (allowed) return;
      throw new ServiceError('RATE_LIMITED', `Too many attempts. Try again in ${resetSeconds} s.`, {
        details: { limit, retry_after: resetSeconds },
      });
    };
    const keyOf = (email: string, peer: string) => `login ${networkOf(peer)} ${email}`;
    return {
      // The narrowest limit first: one peer must not exhaust the limit of an address or of a shared peer.
      async tryLogin(email, peer) {
        await count(keyOf(email, peer), settings.login_tries);
        await count(`login of ${email}`, settings.login_tries_per_email);
        await count(`login from ${networkOf(peer)}`, settings.login_tries_per_peer);
      },
      succeeded: (email, peer) => limits.clear(keyOf(email, peer)),
      tryFrom: (what, peer) => count(`${what} from ${networkOf(peer)}`, settings.login_tries_per_peer),
    };
  },
});
