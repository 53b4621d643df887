import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { site } from '../harness.js';

const FILES = 600;
/** Documents that are prepared together: a turn of small changes has several of these. */
const BATCH = 8;
/** What a turn of small changes and one of others begin at most. */
const MAX_BEGUN = 64 + 8 * BATCH;

eachDatabase((fresh) => {
  it('small changes that never stop coming are finished as they go', async () => {
    const config = { training: false, batch_documents: BATCH, indexing_threads: 1 };
    const at = await site({ database: await fresh(), config });
    try {
      const pending = () => at.host.database.sql('file_work').where({ indexing_status: 'pending' });
      let most = 0;
      for (let n = 0; n < FILES; n++) {
        await at.ingest({ [`${n}.md`]: `Note number ${n}.\n` });
        most = Math.max(most, (await pending().where('attempts', '>', 0).pluck('id')).length);
      }
      assert.ok(most > 0 && most <= MAX_BEGUN, `${most} were begun and not done`);
      await at.settled();
      assert.ok((await at.search('keyword', { query: `number ${FILES - 1}` })).results.length > 0);
    } finally {
      await at.stop();
    }
  });

  it('the last files of an upload are indexed in the turn before', async () => {
    const config = { training: false, batch_documents: BATCH, indexing_threads: 1 };
    const at = await site({ database: await fresh(), config });
    try {
      const names = Array.from({ length: 8 * BATCH + 10 }, (_, n) => `${n}.md`);
      await at.ingest(Object.fromEntries(names.map((name) => [name, `Note ${name}.\n`])));
      await at.settled();
      const times: string[] = await at.host.database.sql('files').distinct().pluck('indexed_at');
      assert.equal(times.length, 1, 'one turn, which begins with 8 batches, settles all');
    } finally {
      await at.stop();
    }
  });
});
