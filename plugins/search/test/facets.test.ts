import assert from 'node:assert/strict';
import { countFacets } from '@service-mcp/plugin-search/internals';

const row = (path: string, count = 1, more: object = {}) => ({
  path,
  count,
  project_id: 'p',
  kind: 'code',
  lang: 'go',
  ...more,
});

describe('facets', () => {
  const directories = (...rows: ReturnType<typeof row>[]) =>
    countFacets(['directories'], rows).directories?.map(({ value, count }) => [value, count]);

  it('name directories at the first level where the paths differ', () => {
    const rows = [row('a/b/x/1.go', 2), row('a/b/y/z/2.go', 5), row('a/b/3.go', 1)];
    assert.deepEqual(directories(...rows), [
      ['a/b/y', 5],
      ['a/b/x', 2],
      ['a/b', 1],
    ]);
    assert.deepEqual(directories(...rows, row('readme.md')), [
      ['a', 8],
      ['', 1],
    ]);
    assert.deepEqual(directories(row('a/b/1.go'), row('a/b/2.go')), [['a/b', 2]]);
    assert.deepEqual(directories(row('a/b/1.go'), row('', 4)), [['a/b', 1]], 'a record lies in none');
  });

  it('leave out what has no value, and all but the fifty largest', () => {
    const none = countFacets(['languages', 'projects'], [row('', 1, { lang: '', project_id: '' })]);
    assert.deepEqual(none, { languages: [], projects: [] });
    const rows = Array.from({ length: 60 }, (_, i) => row(`${i}.x`, 1 + i, { lang: `l${i}` }));
    const { languages = [] } = countFacets(['languages'], rows);
    assert.deepEqual([languages.length, languages[0]], [50, { value: 'l59', count: 60 }]);
    assert.deepEqual(countFacets([], rows), {});
  });
});
