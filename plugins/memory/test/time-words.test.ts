import assert from 'node:assert/strict';
import { periodOf } from '#memory/services/time-words.js';

/** A Friday. */
const NOW = new Date('2026-11-27T13:00:00Z');
const days = (query: string) => {
  const period = periodOf(query, NOW);
  return period && `${period.since.slice(0, 10)} ${period.until.slice(0, 10)}`;
};

describe('times in a query', () => {
  it('are days of UTC', () => {
    for (const [query, expected] of [
      ['what happened yesterday?', '2026-11-26 2026-11-27'],
      ['Today', '2026-11-27 2026-11-28'],
      ['what did we decide last week', '2026-11-16 2026-11-23'],
      ['this week', '2026-11-23 2026-11-30'],
      ['last month', '2026-10-01 2026-11-01'],
      ['what changed since Monday', '2026-11-23 2026-11-28'],
      ['what changed since last Friday', '2026-11-20 2026-11-28'],
      ['on friday', '2026-11-27 2026-11-28'],
      ['in the last 3 days', '2026-11-24 2026-11-28'],
      ['3 days ago', '2026-11-24 2026-11-25'],
      ['a week ago', '2026-11-16 2026-11-23'],
      ['since yesterday', '2026-11-26 2026-11-28'],
      ['decisions of December', '2025-12-01 2026-01-01'],
      ['in March 2024', '2024-03-01 2024-04-01'],
      ['after 2026-11-20', '2026-11-21 2026-11-28'],
      ['on 2026-11-20', '2026-11-20 2026-11-21'],
    ] as const)
      assert.equal(days(query), expected, query);
  });

  it('are not read into names, into what came before, or into what is still to come', () => {
    for (const query of [
      'may we ship on Thursdays',
      'Friday deployment',
      'before last week',
      'until yesterday',
      'on 2026-02-30',
      'since 2027-01-01',
      'yesterday_report()',
      'todays',
    ])
      assert.equal(days(query), undefined, query);
  });

  it('stand alone, or beside a subject', () => {
    const alone = (query: string) => {
      const period = periodOf(query, NOW);
      return period?.isAlone && (period.type ?? 'any');
    };
    for (const [query, expected] of [
      ['what did we decide last week?', 'decision'],
      ['what changed since Monday', 'any'],
      ['bugs of yesterday', 'bug'],
      ['what did we decide about the cache last week', false],
      ['format of today in the header', false],
    ] as const)
      assert.equal(alone(query), expected, query);
  });
});
