import assert from 'node:assert/strict';
import { rejects } from '@service-mcp/core/testing';
import { atOnce, authHost, codeOf } from '../support.js';

describe('concurrent logins', () => {
  // Unknown addresses take a hash like known ones; the benchmark measures that timing reveals nothing.
  it('queue, and are rejected over a limit', async () => {
    const host = await authHost(undefined, { parallel_hashes: 1, login_tries_per_peer: 100_000 });
    try {
      const { lost } = await atOnce(230, (i) =>
        host.open('auth_login', { email: `p${i}@example.com`, password: 'x' }),
      );
      const codes = lost.map(codeOf);
      const refused = codes.filter((code) => code === 'UNAVAILABLE').length;
      assert.ok(refused > 0 && refused <= 29, `${refused} of 230 were refused at once`);
      assert.equal(codes.filter((code) => code === 'UNAUTHENTICATED').length, 230 - refused);
      await rejects(host.open('auth_login', { email: 'p@example.com', password: 'x' }), 'UNAUTHENTICATED');
    } finally {
      await host.stop();
    }
  });
});
