import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { site } from './harness.js';

describe('the embedder of a workspace', () => {
  it('is trained once there is enough, swapped in, finds by association, and replaces one of an earlier training', async () => {
    const at = await site({ config: { training_min_chunks: 30 } });
    try {
      const topics = [
        ['invoice', 'payment', 'customer', 'billing'],
        ['galaxy', 'telescope', 'orbit', 'planet'],
        ['flour', 'oven', 'bread', 'yeast'],
      ];
      const files = Object.fromEntries(
        Array.from({ length: 90 }, (_, i) => {
          const topic = topics[i % 3] ?? [];
          return [`notes/${i}.md`, `${topic[i % 4]} ${topic[(i + 1 + (i % 2)) % 4]} ${topic[(i + 3) % 4]}\n`];
        }),
      );
      await at.ingest({ ...files, 'notes/only.md': 'billing\n' });
      await at.settled();
      const ask = () => at.search('semantic', { query: 'invoice', limit: 100 });
      let answer = await ask();
      while (answer.warnings.length > 0) {
        await delay(50);
        answer = await ask();
      }
      const scoreOf = (path: string) => answer.results.find((result) => result.path === path)?.score ?? 0;
      assert.ok(scoreOf('notes/only.md') > scoreOf('notes/1.md') + 0.2);
      await at.ingest({ 'notes/late.md': 'customer\n' });
      await at.settled();
      answer = await ask();
      assert.ok(scoreOf('notes/late.md') > 0.2, 'a document that came later is in the new space');

      const spaces = at.host.database.sql<{ kind: string; state: string }>('search_spaces');
      await spaces.clone().where({ state: 'active' }).update({ kind: 'trained' });
      await at.ingest({ 'notes/later.md': 'invoice\n' });
      const tuned = () => spaces.clone().where({ state: 'active', kind: 'tuned' });
      while ((await tuned()).length === 0) {
        assert.deepEqual((await ask()).warnings, [], 'the space of an earlier training answers meanwhile');
        await delay(50);
      }
    } finally {
      await at.stop();
    }
  });

  it('is trained after its texts could not be read once', async () => {
    const lancedb = await import('@lancedb/lancedb'); // after the plugin, which sets how much it logs
    const where = Reflect.get(lancedb.Query.prototype, 'where');
    const at = await site({ config: { training_min_chunks: 30 } });
    const { sql } = at.host.database;
    const seen = { hasFailed: false };
    try {
      lancedb.Query.prototype.where = function (condition) {
        if (condition === 'true' && !seen.hasFailed) {
          seen.hasFailed = true;
          throw new Error('lance error: LanceError(IO): Object not found');
        }
        return where.call(this, condition);
      };
      const words = ['invoice', 'payment', 'customer', 'billing'];
      const files = Array.from({ length: 90 }, (_, i) => [
        `${i}.md`,
        `${words[i % 4]} ${words[(i + 1) % 4]}\n`,
      ]);
      await at.ingest(Object.fromEntries(files) as Record<string, string>);
      while (!seen.hasFailed) await delay(20);
      while ((await sql('search_spaces').where({ kind: 'tuned' })).length === 0) {
        await sql('search_indexes').update({ train_after: '' }); // the wait after a failed training is over
        await delay(50);
      }
    } finally {
      lancedb.Query.prototype.where = where;
      await at.stop();
    }
  });

  it('is stored once there is space again, where the disk was full as its training ended', async () => {
    const at = await site({ config: { training_min_chunks: 30 } });
    const { sql } = at.host.database;
    try {
      const refused = new Promise<void>((resolve) => {
        sql.on('query-error', (_error: unknown, query: { readonly sql: string }) => {
          if (/insert into .search_models/.test(query.sql)) resolve();
        });
      });
      const names = Array.from({ length: 300 }, (_, i) => `word${i}x`);
      const files = names.map((name, i) => [`${i}.md`, `${name} ${names[(i + 1) % 300]} ${names[i >> 1]}\n`]);
      await at.ingest(Object.fromEntries(files) as Record<string, string>);
      const begun = () => sql('search_indexes').where('train_after', '>', new Date().toISOString());
      while ((await begun()).length === 0) await delay(5);
      // The rows that exist still change, as on a disk that is full: leases among them.
      await sql.raw('PRAGMA max_page_count = 1');
      await refused;
      await sql.raw('PRAGMA max_page_count = 1000000');
      const stored = () => sql('search_spaces').where({ kind: 'tuned' });
      for (let waited = 0; (await stored()).length === 0; waited += 50) {
        assert.ok(waited < 10_000, 'it is stored by one of the next rounds');
        await delay(50);
      }
    } finally {
      await at.stop();
    }
  });

  it('is not forgotten while an index that SQL calls empty has documents', async () => {
    const at = await site();
    const { sql } = at.host.database;
    try {
      await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
      await at.settled();
      // As another process leaves it between the write of the first documents and their count.
      await sql('search_spaces').update({ kind: 'trained' });
      await sql('search_indexes').update({ chunks: 0 });
      await delay(1200); // two rounds
      assert.equal((await sql('search_spaces')).length, 1);
    } finally {
      await at.stop();
    }
  });
});
