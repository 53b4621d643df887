import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { site } from '../harness.js';

const FILES = 600;
const PASSAGE = 'A passage of many words about the sea and its weather. '.repeat(40);
const CHANGED = 'The walrus sleeps.\n';
const MAX_CHANGED = 100; // results of one search

describe('files that change while their former texts are being indexed', () => {
  it('are found by their last texts, and leave the index once they are deleted', async () => {
    const at = await site({ config: { training: false } });
    const { sql } = at.host.database;
    try {
      const files = Array.from({ length: FILES }, (_, n) => [`bulk/${n}.md`, `${PASSAGE} ${n}.\n`]);
      await at.ingest(Object.fromEntries(files) as Record<string, string>);
      const changed = new Set<string>();
      const deleted = new Set<string>();
      for (;;) {
        const claimed = (await sql('file_work')
          .join('files', 'files.id', 'file_work.id')
          .where({ 'file_work.indexing_status': 'pending', attempts: 1 })
          .whereNotIn('path', [...changed, ...deleted])
          .orderBy('files.id', 'desc') // the last of a claim are written last
          .limit(2)
          .pluck('path')) as string[];
        const [first, second] = claimed;
        if (
          first === undefined &&
          (await sql('file_work').where({ indexing_status: 'pending' })).length === 0
        )
          break;
        if (first !== undefined && changed.size < MAX_CHANGED) {
          changed.add(first);
          await at.ingest({ [first]: CHANGED });
        }
        if (second !== undefined) {
          deleted.add(second);
          await at.host.use('files_delete', { project_id: at.projectId, paths: [second] });
        }
        await delay(20);
      }
      await at.settled();
      assert.ok(changed.size > 3 && deleted.size > 3, `${changed.size} changed, ${deleted.size} deleted`);
      const { results, total } = await at.search('keyword', { query: 'walrus', limit: MAX_CHANGED });
      assert.deepEqual(
        results.map(({ content }) => content),
        Array.from({ length: changed.size }, () => CHANGED),
      );
      assert.equal(total, changed.size);
      const { documents } = await sql('search_indexes').first<{ documents: number }>('documents');
      assert.equal(documents, FILES - deleted.size);
    } finally {
      await at.stop();
    }
  });
});
