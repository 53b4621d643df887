import assert from 'node:assert/strict';
import { openSecrets } from './open.js';
import { NEGATIVES, POSITIVES } from './samples.js';

const secrets = openSecrets();
const find = (text: string) => secrets.find(text);

describe('secrets in a text', () => {
  it('are found, at their place', () => {
    assert.ok(POSITIVES.length >= 60);
    for (const { rule, text, secret } of POSITIVES) {
      const start = text.indexOf(secret);
      assert.deepEqual(find(text), [{ rule, start, end: start + secret.length }], text);
    }
  });

  it('are told from what only looks like them', () => {
    assert.ok(NEGATIVES.length >= 60);
    for (const text of NEGATIVES) assert.deepEqual(find(text), [], text);
  });

  it('are redacted, and nothing else is', () => {
    for (const { text, secret } of POSITIVES) {
      const { text: redacted, found } = secrets.redact(text);
      const mark = secret.length < 10 ? '***' : '[redacted]';
      assert.equal(redacted, text.replace(secret, mark));
      assert.equal(found.length, 1);
      assert.deepEqual(find(redacted), [], 'once is enough');
    }
    for (const text of NEGATIVES) assert.deepEqual(secrets.redact(text), { text, found: [] });
  });

  it('are all found in a text with many, with offsets in UTF-16 units', () => {
    const text = `😀 ${POSITIVES.map(({ text: each }) => each).join('\n😀\n')}\n${NEGATIVES.join('\n')}`;
    const found = find(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(
      found,
      POSITIVES.map(({ secret }) => secret),
    );
  });

  it('that overlap are one, named by the more exact rule', () => {
    const token = POSITIVES.find(({ rule }) => rule === 'github')?.secret ?? '';
    const text = `password=${token}`;
    assert.deepEqual(find(text), [{ rule: 'github', start: 9, end: text.length }]);
  });
});
