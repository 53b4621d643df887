import assert from 'node:assert/strict';
import { parseExpiry } from '#cli/keys/create-key.js';

describe('when a key ends', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  it('is a duration or a date', () => {
    for (const [text, end] of [
      ['12h', '2026-11-22T00:00:00.000Z'],
      ['30d', '2026-12-21T12:00:00.000Z'],
      ['1w', '2026-11-28T12:00:00.000Z'],
      ['2027-01-31', '2027-01-31T00:00:00.000Z'],
      ['2027-01-31T10:00:00+02:00', '2027-01-31T08:00:00.000Z'],
    ] as const)
      assert.equal(parseExpiry(text, now), end);
    for (const text of [
      '',
      '30',
      '0d',
      '-1d',
      '3m',
      '2026-11-20',
      '2027-02-30',
      '2027-13-01',
      '999999w',
      'tomorrow',
      '30d\n',
    ])
      assert.throws(() => parseExpiry(text, now), { name: 'InvalidArgumentError' }, text);
  });
});
