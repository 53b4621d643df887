import assert from 'node:assert/strict';
import { rejects } from '@service-mcp/core/testing';
import { openSecrets } from './open.js';
import { NEGATIVES, POSITIVES } from './samples.js';

const token = POSITIVES.find(({ rule }) => rule === 'github')?.secret ?? '';
const url = POSITIVES.find(({ rule }) => rule === 'url-password')?.text ?? '';

describe('the policy on secrets', () => {
  it('redacts every string of a value, and names the fields', () => {
    const value = {
      title: 'A lamp',
      content: `${token} and ${token}, ${url}`,
      tags: ['lamps', token],
      metadata: {
        deep: [{ address: url }],
        [token]: 1,
        password: 'hunter2',
        password_hint: 'a dog',
        count: 3,
        none: null,
      },
      code_refs: [{ path: `src/${token}.ts`, symbol: 'lamp' }],
    };
    const before = structuredClone(value);
    const { value: stored, redacted } = openSecrets().screen(value);
    assert.deepEqual(value, before, 'the caller keeps what it sent');
    assert.deepEqual(stored, {
      title: 'A lamp',
      content: `[redacted] and [redacted], ${url.replace(/:[^:@/]+@/, ':***@')}`,
      tags: ['lamps', '[redacted]'],
      metadata: {
        deep: [{ address: url.replace(/:[^:@/]+@/, ':***@') }],
        '[redacted]': 1,
        password: '***',
        password_hint: 'a dog',
        count: 3,
        none: null,
      },
      code_refs: [{ path: 'src/[redacted].ts', symbol: 'lamp' }],
    });
    assert.deepEqual(redacted, [
      { field: 'content', rule: 'github' },
      { field: 'content', rule: 'url-password' },
      { field: 'tags.1', rule: 'github' },
      { field: 'metadata.deep.0.address', rule: 'url-password' },
      { field: 'metadata', rule: 'github' },
      { field: 'metadata.password', rule: 'assigned-secret' },
      { field: 'code_refs.0.path', rule: 'github' },
    ]);
  });

  it('redacts nothing where nothing is secret', () => {
    const value = { content: NEGATIVES.join('\n'), tags: [...NEGATIVES] };
    assert.deepEqual(openSecrets().screen(value), { value, redacted: [] });
  });

  it('refuses with rule, field and position, without the secret', async () => {
    const refuse = async (value: object) => openSecrets('refuse').screen(value);
    const { message, details } = await rejects(
      refuse({ metadata: { notes: [`Use ${token}`] } }),
      'INVALID_ARGUMENT',
      /^metadata\.notes\.0: holds a secret \(github\) at characters 4 to 44/,
    );
    assert.ok(!JSON.stringify({ message, details }).includes(token));
    const named = await rejects(
      refuse({ metadata: { [token]: { [token]: 1 } } }),
      'INVALID_ARGUMENT',
      /^metadata: /,
    );
    assert.ok(!JSON.stringify(named).includes(token));
    assert.deepEqual(await refuse({ content: 'A lamp' }), { value: { content: 'A lamp' }, redacted: [] });
  });

  it('keeps what it does not look at', () => {
    const value = { content: token };
    assert.deepEqual(openSecrets('keep').screen(value), { value, redacted: [] });
  });
});
