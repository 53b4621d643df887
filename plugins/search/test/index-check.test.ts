import assert from 'node:assert/strict';
import { ServiceError, type Log } from '@service-mcp/core';
import { createIndexCheck } from '@service-mcp/plugin-search/internals';
import { indexOfEach } from './index-rows.js';

describe('the check of an index', () => {
  const index = indexOfEach();

  it('blames nothing while the database is away', async () => {
    const said: string[] = [];
    const say = (_fields: object, message: string) => said.push(message);
    const log = { debug: say, info: say, warn: say, error: say, child: () => log } as unknown as Log;
    const place = { workspaceId: 'w', generation: 1, marker: 'm', shared: false };
    const generations = {
      serving: async () => place,
      places: async () => [place],
      isOpen: () => true,
      tables: async () => index.tables,
      versions: async () => ({}),
    };
    let isAway = true;
    const source = {
      async indexedTotal() {
        if (isAway) throw new ServiceError('UNAVAILABLE', 'The database does not answer.');
        return 0;
      },
    };
    const home = { isForeign: async () => false };
    const check = createIndexCheck(generations as never, home as never, [source as never], log);
    await assert.rejects(check.read('w'), /The database does not answer/);
    assert.deepEqual(said, []);
    isAway = false;
    assert.equal((await check.read('w')).healthy, true, 'and it is asked again at once');
    assert.equal((await check.damaged({ thorough: true })).size, 0);
  });
});
