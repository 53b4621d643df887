import assert from 'node:assert/strict';
import { leftTerms } from '#memory/services/left-terms.js';

const left = (title: string, content = '') => leftTerms({ title, content });

describe('terms that a decision leaves', () => {
  it('are read in English, German and French', () => {
    for (const [title, expected] of [
      ['Moved from Postgres to MySQL', 'postgr'],
      ['The orders service moves its data from Postgres 15 to MySQL 8', 'postgr'],
      ['pnpm instead of npm', 'npm'],
      ['Loki replaces Elasticsearch', 'elasticsearch'],
      ['We replaced Jenkins with GitHub Actions', 'jenkin'],
      ['We no longer use the Redis cache', 'redi'],
      ['Postgres is switched off', 'postgr'],
      ['Jenkins was replaced by Actions', 'jenkin'],
      ['Wir sind von Postgres auf MySQL umgestiegen', 'postgr'],
      ['pnpm statt npm', 'npm'],
      ['pnpm remplace npm', 'npm'],
    ] as const)
      assert.deepEqual(left(title), [expected], title);
  });

  it('are not what it keeps, or only compares', () => {
    for (const title of [
      'We use Postgres',
      'We do not move from Postgres to MySQL',
      'We keep Postgres instead of MySQL',
      'Jobs run from Monday to Friday',
      'It was replaced by a script',
      'Whether to migrate from npm to pnpm is open',
    ])
      assert.deepEqual(left(title), [], title);
  });

  // A batch of an import reads up to 2,000 decisions at once.
  it('are read in no time from a text of near misses', () => {
    const text = `${'ob '.repeat(330)}. ${'not '.repeat(100)}. ${'drop x '.repeat(80)}`;
    const startedAt = performance.now();
    for (let n = 0; n < 50; n++) assert.deepEqual(left('', text), ['x']);
    assert.ok(performance.now() - startedAt < 2000);
  });
});
