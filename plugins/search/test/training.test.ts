import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { site } from './harness.js';

describe('the embedder of a workspace', function () {
  this.timeout(30_000);

  it('is trained once there is enough, swapped in, and then finds by association', async () => {
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
    } finally {
      await at.stop();
    }
  });
});
