import assert from 'node:assert/strict';
import { eachDatabase, type TestHost } from '@service-mcp/core/testing';
import { createNode, newWorkspace, startMemory } from './start-memory.js';
import { exportLines, importLines, type Exported } from './transfer.js';

eachDatabase((fresh) => {
  describe('an export of memory', () => {
    let host: TestHost;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false });
    });
    after(() => host.stop());

    it('has edges from a machine whose clock was ahead, too', async () => {
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
    });

    it('has the versions of a node up to the one that it shows', async () => {
      const workspace_id = await newWorkspace(host);
      const { id: node_id } = await createNode(host, { workspace_id, title: 'lamp' });
      const change = (title: string) => host.use('memory_update_node', { node_id, title });
      const titles: unknown[] = [];
      const send = async (line: object) => {
        const { record, title, node } = line as Exported;
        if (record === 'node') await change('lantern');
        titles.push(title ?? (node as Exported | undefined)?.['title']);
      };
      await host.use('memory_export', { workspace_id }, { surface: 'rest', send });
      assert.deepEqual(titles, ['lamp', 'lamp']);

      interface Page {
        readonly records: readonly Exported[];
        readonly next: string | null;
      }
      const read = (cursor: string | null) =>
        host.use<Page>('workspaces_export', { workspace_id, limit: 1, ...(cursor !== null && { cursor }) });
      const records: Exported[] = [];
      for (let cursor: string | null = null; ;) {
        const page: Page = await read(cursor);
        if (page.records.some(({ record }) => record === 'node')) await change('torch');
        records.push(...page.records);
        cursor = page.next;
        if (cursor === null) break;
      }
      assert.deepEqual(
        records.filter(({ record }) => record === 'version').map(({ version }) => version),
        [1, 2],
      );
    });
  });
});
