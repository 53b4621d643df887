import { setTimeout as delay } from 'node:timers/promises';
import { site } from '../harness.js';

describe('the embedder of a workspace, under writes', () => {
  it('is trained and swapped in while somebody keeps writing', async () => {
    const at = await site({ config: { training_min_chunks: 30 } });
    const writing = new AbortController();
    try {
      const files = Array.from({ length: 90 }, (_, i) => [
        `notes/${i}.md`,
        `invoice ${i} payment ${i % 7}\n`,
      ]);
      await at.ingest(Object.fromEntries(files));
      const writers = ['a', 'b'].map(async (name) => {
        for (let i = 0; !writing.signal.aborted; i++) {
          await at.ingest({ [`${name}.md`]: `customer ${i}\n` });
          await delay(10);
        }
      });
      const tuned = () => at.host.database.sql('search_spaces').where({ state: 'active', kind: 'tuned' });
      while ((await tuned()).length === 0) await delay(50);
      writing.abort();
      await Promise.all(writers);
    } finally {
      writing.abort();
      await at.stop();
    }
  });
});
