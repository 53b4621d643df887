import assert from 'node:assert/strict';
import { openSecrets } from './open.js';
import { POSITIVES } from './samples.js';

const secretOf = (rule: string) => POSITIVES.find((one) => one.rule === rule)?.secret ?? '';
const textOf = (rule: string) => POSITIVES.find((one) => one.rule === rule)?.text ?? '';
const OWN = secretOf('service-credential');
const TOKEN = secretOf('github');
const PEM = secretOf('private-key');

describe('the policy on files', () => {
  it('leaves a text without secrets as it is, to the byte', () => {
    for (const text of [
      '',
      '\uFEFFa\r\nb\r',
      'é\u0301 \u{1F41F}\t\n\n',
      'const password = readPassword();\n',
    ])
      assert.deepEqual(openSecrets().screenFile(text), { text, found: [] });
  });

  it('takes out what its form gives away, with its line, and moves no line', () => {
    assert.ok(OWN && TOKEN && PEM.includes('\n'), 'samples');
    const text = `first\r\nkey: ${TOKEN}\r\n${PEM}\nafter ${OWN}\n`;
    const { text: stored = '', found } = openSecrets().screenFile(text);
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    assert.deepEqual(found, [
      { rule: 'github', line: 2 },
      { rule: 'private-key', line: 3 },
      { rule: 'service-credential', line: lineOf('after') },
    ]);
    assert.equal(stored.split('\n').length, text.split('\n').length);
    assert.equal(stored.split('\n')[lineOf('after') - 1], 'after [redacted]');
    assert.match(stored, /^first\r\nkey: \[redacted\]\r\n\[redacted\]\n/);
    assert.deepEqual(openSecrets().screenFile(stored), { text: stored, found: [] });
  });

  it('looks for values of settings and passwords in URLs only where it is told to', () => {
    for (const rule of ['assigned-secret', 'url-password']) {
      const text = textOf(rule);
      assert.deepEqual(openSecrets().screenFile(text), { text, found: [] }, rule);
      const { found } = openSecrets('redact', 'redact', 'all').screenFile(text);
      assert.equal(found[0]?.rule, rule);
    }
  });

  it('refuses or keeps files, apart from the policy on memory, and never keeps a key of this service', () => {
    const refusing = openSecrets('keep', 'refuse');
    assert.deepEqual(refusing.screenFile(`a\n${TOKEN}`), {
      text: undefined,
      found: [{ rule: 'github', line: 2 }],
    });
    assert.deepEqual(refusing.screen({ a: TOKEN }).redacted, []);
    const keeping = openSecrets('refuse', 'keep');
    const text = `${TOKEN} ${PEM}`;
    assert.deepEqual(keeping.screenFile(text), { text, found: [] });
    assert.equal(keeping.screenFile(`${TOKEN} ${OWN}`).text, `${TOKEN} [redacted]`);
    const { value, redacted } = openSecrets('keep').screen({ a: `${TOKEN} ${OWN}`, password: 'hunter2' });
    assert.deepEqual(value, { a: `${TOKEN} [redacted]`, password: 'hunter2' });
    assert.deepEqual(redacted, [{ field: 'a', rule: 'service-credential' }]);
  });
});
