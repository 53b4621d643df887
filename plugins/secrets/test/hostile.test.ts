import assert from 'node:assert/strict';
import { hostileSuite } from './hostile-suite.js';
import { openSecrets } from './open.js';
import { POSITIVES } from './samples.js';

// 1 MiB, where a pattern that is quadratic exceeds the time limit, runs with the long tests.
hostileSuite(32 * 1024);

it('a text with a secret in every line is redacted whole', () => {
  const secrets = openSecrets();
  for (const { text, secret } of POSITIVES) {
    const { text: redacted, found } = secrets.redact(`${text}\n`.repeat(200));
    assert.ok(found.length >= 200 && !redacted.includes(secret), text);
  }
});
