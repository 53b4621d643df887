import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, expire, newWorkspace, storeEvent, inNewWorkspaces } from './start-memory.js';

interface Report {
  readonly items: ReadonlyArray<{ readonly kind: string; readonly ids: string[] }>;
  readonly unchecked: number;
}
interface Exported {
  readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly next: string | null;
}
interface Change {
  readonly change_id: string;
}
const LONG = 'The deployment of the gateway failed since its certificate had expired on the second node.';

eachDatabase((fresh) => {
  describe('records that are kept apart', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const store = async (title = 'Gateway down') =>
      (await storeEvent(host, { workspace_id, title, content: LONG })).id;
    const duplicates = async (): Promise<string[][]> => {
      const { items, unchecked } = await host.use<Report>('memory_hygiene', { workspace_id, per_page: 100 });
      if (unchecked > 0) return duplicates();
      return items.filter(({ kind }) => kind === 'duplicate').map(({ ids }) => ids);
    };
    const keep = (ids: readonly string[]) => host.use<Change>('memory_keep_apart', { workspace_id, ids });
    const rows = async () =>
      (await host.database.sql('memory_kept_apart').where({ workspace_id }).select('record_id')).length;

    it('are not duplicates any more, also after a change of one, until that is undone', async () => {
      const ids = [await store(), await store()];
      assert.deepEqual(await duplicates(), [ids]);
      const { change_id } = await keep(ids.toReversed());
      assert.deepEqual(await duplicates(), []);
      await host.use('memory_update_event', {
        event_id: ids[0],
        tags: ['gateway'],
        title: 'Gateway is down',
      });
      assert.deepEqual(await duplicates(), []);
      const undone = await host.use<{ restored: string[] }>('memory_undo', { change_id });
      assert.deepEqual(undone.restored, ids);
      assert.deepEqual(await duplicates(), [ids]);
      await rejects(host.use('memory_undo', { change_id }), 'CONFLICT', /was undone/);
    });

    it('are never in one finding, however they resemble a third one', async () => {
      const [a, b, c] = [await store(), await store(), await store()] as const;
      assert.deepEqual(await duplicates(), [[a, b, c]]);
      await keep([a, b]);
      assert.deepEqual(await duplicates(), [[a, c]]);
      await keep([a, c]);
      assert.deepEqual(await duplicates(), [[b, c]]);
      await host.use('memory_merge', { ids: [b, c], keep: b });
      assert.deepEqual(await duplicates(), []);
      const fourth = await store();
      assert.deepEqual(await duplicates(), [[a, fourth]], 'a judgement is about the records that it names');
    });

    it('keep what was judged before where it is said again', async () => {
      const ids = [await store(), await store(), await store()] as const;
      await keep(ids.slice(0, 2));
      const { change_id } = await keep(ids);
      assert.deepEqual(await duplicates(), []);
      await host.use('memory_undo', { change_id });
      assert.deepEqual(await duplicates(), [[ids[0], ids[2]]]);
    });

    it('are as they were when the deletion of one is undone, and forgotten when it is final', async () => {
      const [a, b, c] = [await store(), await store(), await store()] as const;
      await keep([a, b, c]);
      const deleted = await host.use<Change>('memory_delete_many', { workspace_id, ids: [a] });
      await host.use('memory_undo', { change_id: deleted.change_id });
      assert.deepEqual(await duplicates(), []);
      const final = await host.use<Change>('memory_delete_many', { workspace_id, ids: [a] });
      await expire(host, [final.change_id]);
      assert.equal(await rows(), 2);
      await host.use('memory_delete_event', { event_id: b });
      assert.equal(await rows(), 0);
    });

    it('are of one kind, of one workspace, and there', async () => {
      const [event, other] = [await store(), await store()];
      const node = (await createNode(host, { workspace_id, title: 'Gateway down', content: LONG })).id;
      const twin = (await createNode(host, { workspace_id, title: 'Gateway down', content: LONG })).id;
      await rejects(keep([event, node]), 'INVALID_ARGUMENT', /one kind/);
      await rejects(keep([event]), 'INVALID_ARGUMENT');
      await rejects(keep([event, crypto.randomUUID()]), 'NOT_FOUND');
      const elsewhere = { workspace_id: await newWorkspace(host), ids: [event, other] };
      await rejects(host.use('memory_keep_apart', elsewhere), 'NOT_FOUND');
      assert.deepEqual(await duplicates(), [
        [event, other],
        [node, twin],
      ]);
      await keep([node, twin]);
      await host.use('memory_delete_node', { node_id: node });
      assert.equal(await rows(), 0);
      assert.deepEqual(await duplicates(), [[event, other]]);
    });

    it('are exported and deleted with their workspace', async () => {
      const ids = [await store(), await store(), await store()];
      await keep(ids);
      const apart: Array<Readonly<Record<string, unknown>>> = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const args = { workspace_id, limit: 2, ...(cursor && { cursor }) };
        const page: Exported = await host.use('workspaces_export', args);
        apart.push(...page.records.filter(({ record }) => record === 'kept_apart'));
        cursor = page.next;
      }
      assert.deepEqual(
        apart.map(({ record_id, other_id }) => [record_id, other_id]),
        [
          [ids[0], ids[1]],
          [ids[0], ids[2]],
          [ids[1], ids[2]],
        ],
      );
      await host.use('workspaces_delete', { workspace_id });
      assert.equal(await rows(), 0);
    });
  });
});
