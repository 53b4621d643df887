import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { RESOLVE_MS } from './support/slow-thread.js';
import { NAME_RESOLVER, startStore } from './support/store-service.js';

const WRITTEN_MS = 3000;
const PAUSE_MS = 20;

describe('the graph of a project that somebody keeps changing', function () {
  this.timeout(60_000);

  it('is resolved in a fifth of the time, and has every change in the end', async () => {
    const worker = new URL('./support/slow-thread.js', import.meta.url);
    const service = await startStore({ resolver: { ...NAME_RESOLVER, worker } });
    try {
      const project = await service.createProject();
      const startedAt = performance.now();
      let changes = 0;
      while (performance.now() - startedAt < WRITTEN_MS) {
        changes += 1;
        await project.ingest({ [`${changes}.go`]: 'package store\n\nfunc Get() int { return 1 }\n' });
        await delay(PAUSE_MS);
      }
      await project.settled();
      const took = performance.now() - startedAt;
      const row = await service.host.database
        .sql('graph_projects')
        .first<{ generation: number }>('generation');
      const resolved = row?.generation ?? 0;
      // The first is begun at once, and the last may end as the time does.
      assert.ok(resolved <= took / (5 * RESOLVE_MS) + 2, `resolved ${resolved} times in ${took} ms`);
      assert.ok(changes > 3 * resolved, `${changes} changes`);
      assert.equal((await project.graph()).parts.length, changes);
    } finally {
      await service.stop();
    }
  });
});
