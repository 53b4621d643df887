import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { probe } from '@service-mcp/core/testing';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { RESOLVE_MS } from '../support/slow-thread.js';
import { NAME_RESOLVER, startStore } from '../support/store-service.js';

const SLOW_RESOLVER = {
  ...NAME_RESOLVER,
  worker: new URL('../support/slow-thread.js', import.meta.url),
};
const WRITTEN_MS = 3000;
const PAUSE_MS = 20;

describe('the graph of a project that somebody keeps changing', () => {
  it('is resolved in a fifth of the time, and has every change in the end', async () => {
    const service = await startStore({ resolver: SLOW_RESOLVER });
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

  it('forgets a file that is deleted between two claims of a turn', async () => {
    const { plugin, services } = probe({ changes: FileChanges }, 'changes');
    const service = await startStore({ plugins: [plugin], resolver: SLOW_RESOLVER });
    try {
      const project = await service.createProject();
      await project.ingest({ 'kept.go': 'package store\n' });
      await project.settled(); // where resolving is slow, a turn claims small changes and others
      const changes = services().changes.for('graph');
      const claim = changes.claim.bind(changes);
      let isDeleted = false;
      changes.claim = async (limits) => {
        const claimed = await claim(limits);
        if (!isDeleted && claimed.length > 0) {
          isDeleted = true;
          await project.remove('gone.go');
        }
        return claimed;
      };
      await project.ingest({ 'gone.go': 'package store\n' });
      await project.settled();
      assert.ok(isDeleted);
      assert.deepEqual(
        (await project.graph()).parts.map(({ path }) => path),
        ['kept.go'],
      );
    } finally {
      await service.stop();
    }
  });
});
