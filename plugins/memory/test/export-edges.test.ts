import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { createNode, newWorkspace, startMemory } from './start-memory.js';
import { exportLines, importLines, type Exported } from './transfer.js';

eachDatabase((fresh) => {
  describe('exported edges', () => {
    it('are those from a machine whose clock was ahead, too', async () => {
      const host = await startMemory(await fresh(), { workers: false });
      const source = await newWorkspace(host);
      const target = await newWorkspace(host);
      const { id } = await createNode(host, { workspace_id: source, title: 'lamp' });
      const relations = [{ relation_type: 'depends_on', target_id: id }];
      await createNode(host, { workspace_id: source, title: 'oil', relations });
      const edges = (lines: readonly Exported[]) => lines.filter(({ record }) => record === 'edge');
      const created_at = new Date(Date.now() + 3_600_000).toISOString();
      const lines = (await exportLines(host, source)).map((line) =>
        line.record === 'edge' ? { ...line, created_at } : line,
      );
      assert.equal(edges(lines).length, 1);
      assert.equal((await importLines(host, { workspace_id: target }, lines)).failed, 0);
      const back = edges(await exportLines(host, target));
      assert.deepEqual(
        back.map((edge) => edge['created_at']),
        [created_at],
      );
      await host.stop();
    });
  });
});
