import assert from 'node:assert/strict';
import { eachDatabase, rejects } from '@service-mcp/core/testing';
import { PASSWORD, authHost, codeOf, remarks } from './support.js';

eachDatabase((fresh) => {
  describe('throttling of logins', () => {
    it('counts attempts per address and peer before hashing, and resets them on success', async () => {
      const host = await authHost(await fresh(), {
        login_tries: 3,
        login_tries_per_email: 6,
        login_tries_per_peer: 12,
      });
      try {
        await host.register('a@example.com');
        const attempt = (email: string, password: string, peer: string, more = {}) =>
          host.open('auth_login', { email, password }, { peer, ...more });
        for (let i = 0; i < 2; i++)
          await rejects(attempt('a@example.com', 'wrong', '192.0.2.7'), 'UNAUTHENTICATED');
        await attempt('a@example.com', PASSWORD, '192.0.2.7'); // resets the three attempts
        for (let i = 0; i < 3; i++)
          await rejects(attempt('A@example.com', 'wrong', '192.0.2.7'), 'UNAUTHENTICATED');
        const { rates, init } = remarks();
        const again = () => attempt('a@example.com', PASSWORD, '192.0.2.7', init);
        const error = await rejects(again(), 'RATE_LIMITED', /Try again in/);
        let quickest = Number.POSITIVE_INFINITY; // of several, since the machine may be busy
        for (let i = 0; i < 10; i++) {
          const startedAt = performance.now();
          await rejects(again(), 'RATE_LIMITED');
          quickest = Math.min(quickest, performance.now() - startedAt);
        }
        assert.ok(quickest < 15, `no hash was made: ${quickest.toFixed(1)} ms`);
        assert.equal(rates.at(-1)?.allowed, false);
        assert.equal(rates[0]?.resetSeconds, error.details?.['retry_after']);
        await rejects(attempt('a@example.com', PASSWORD, '192.0.2.8'), 'RATE_LIMITED'); // six on the address
        for (let i = 0; i < 3; i++)
          await rejects(attempt('v6@example.com', 'wrong', `2001:db8:0:1::${i}`), 'UNAUTHENTICATED');
        await rejects(attempt('v6@example.com', 'wrong', '2001:db8:0:1:ffff::9'), 'RATE_LIMITED'); // one network
        await rejects(attempt('v6@example.com', 'wrong', '2001:db8:0:2::1'), 'UNAUTHENTICATED');
        let refused = 0;
        for (let i = 0; i < 14; i++) {
          const one = await attempt(`other${i}@example.com`, 'wrong', '192.0.2.9').catch(codeOf);
          if (one === 'RATE_LIMITED') refused += 1;
        }
        assert.equal(refused, 2, 'twelve from one peer');
      } finally {
        await host.stop();
      }
    });
  });
});
