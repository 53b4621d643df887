import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../command.js';
import { HOSTED_DEPLOYMENT } from '../start-service.js';

const WEAK = [
  ['short', /has 5 bytes; it needs 32/],
  ['abababababababababababababababababab', /repeated pattern/],
  ['your-256-bit-secret-your-256-bit-secret!', /common words/],
] as const;

describe('threat: weak or default secrets', () => {
  for (const [secret, fault] of WEAK)
    it(`\`serve\` refuses to start with ${secret}, and says place, fault and remedy, without the secret`, async () => {
      const home = await mkdtemp(join(tmpdir(), 'service-mcp-weak-'));
      const { code, stdout, stderr } = await runCommand(
        ['serve', '--config', HOSTED_DEPLOYMENT, '--port', '0', '--data', home, '--json'],
        { env: { HOME: home, XDG_CONFIG_HOME: home, SERVICE_JWT_SECRET: secret } },
      );
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /SERVICE_JWT_SECRET \(auth\.jwt_secret\)/, 'the place');
      assert.match(stderr, fault);
      assert.match(stderr, /openssl rand/, 'the remedy');
      if (secret !== 'short') assert.ok(!stderr.includes(secret), 'the secret itself');
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
    });
});
