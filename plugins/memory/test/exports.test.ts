import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, newWorkspace, startMemory, storeEvent } from './start-memory.js';
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

    it('has lines that an import takes, also of merged records', async () => {
      const workspace_id = await newWorkspace(host);
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) {
        const code_refs = Array.from({ length: 100 }, (_, at) => ({
          path: `${'x'.repeat(1000)}/${n}/${at}`,
        }));
        const event = { workspace_id, title: `Moved ${n}`, content: '\u0001'.repeat(100_000), code_refs };
        ids.push((await storeEvent(host, event)).id);
      }
      const merge = (merged: string[]) => host.use('memory_merge', { ids: merged, keep: ids[0] });
      await rejects(merge(ids), 'INVALID_ARGUMENT', /than one record can/);
      await merge(ids.slice(0, 3));
      const lines = await exportLines(host, workspace_id);
      assert.equal((await importLines(host, { workspace_id: await newWorkspace(host) }, lines)).failed, 0);
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
