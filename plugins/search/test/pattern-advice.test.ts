import assert from 'node:assert/strict';
import { AT_REST, site, type Site } from './harness.js';

const files = {
  'src/store.ts': '/** Keeps users by id. */\nexport class UserStore {}\n',
  'src/retry.py':
    'def retry_with_backoff(call):\n    """Call again."""\n    while True:\n        try:\n            return call()\n',
  'docs/guide.md': '# Guide\n',
};

describe('advice on patterns', () => {
  let it_: Site;
  before(async () => {
    it_ = await site({ config: AT_REST });
    await it_.ingest(files);
    await it_.settled();
  });
  after(() => it_.stop());

  it('an expression without a match says which small change of it has one', async () => {
    const asked = async (query: string, more: object = {}) =>
      (await it_.search('pattern', { query, output_format: 'count', ...more })).warnings;
    assert.deepEqual(await asked('USERSTORE'), [
      'With case_sensitive false the expression matches, first in src/store.ts, line 2.',
    ]);
    assert.deepEqual(await asked('try:\\n\\s+return'), [
      'With multiline true the expression matches, first in src/retry.py, line 4.',
    ]);
    assert.match((await asked('/retry_with\\w+/g')).join(), /Without the slashes .* src\/retry\.py, line 1/u);
    assert.deepEqual(await asked('/*x/'), [], 'what is left is malformed');
    assert.deepEqual(await asked('USERSTORE', { filters: { path_prefix: 'docs/' } }), []);
    assert.deepEqual(await asked('zzqx\\n'), []);
  });
});
