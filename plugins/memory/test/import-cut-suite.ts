import assert from 'node:assert/strict';
import { uuidv7 } from '@service-mcp/core';
import { onDatabase, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { expire, newWorkspace, type Made, inNewWorkspaces } from './start-memory.js';
import { comparable, exportLines, importLines } from './transfer.js';

/** In the order of an export. */
const [A, B, E] = [uuidv7(), uuidv7(), uuidv7()];
const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString();

/** A node as it was in a minute. */
const state = (id: string, minute: number) => ({
  id,
  node_type: 'fact',
  title: `minute ${minute}`,
  content: `version ${minute}`,
  created_at: at(0),
  updated_at: at(minute),
});

/** A node and its versions, as an export writes them. */
const history = (id: string, versions: number) => [
  { record: 'node', ...state(id, versions) },
  ...Array.from({ length: versions }, (_, n) => ({
    record: 'version',
    node_id: id,
    version: n + 1,
    recorded_at: at(n + 1),
    reason: `reason ${n}`,
    node: state(id, n + 1),
  })),
];

const END = { record: 'end', events: 0, nodes: 2, versions: 5, edges: 1 };
const WHOLE = [
  ...history(A, 3),
  ...history(B, 2),
  {
    record: 'edge',
    id: E,
    source_node_id: A,
    target_node_id: B,
    relation_type: 'depends_on',
    created_at: at(9),
  },
  END,
];

/** Imports that end within the versions of a node, after each line. */
export function importCutSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('an import that is cut off', () => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

      const send = (lines: readonly object[]) => importLines(host, { workspace_id }, lines);
      const versions = async () =>
        (await exportLines(host, workspace_id)).filter(({ record }) => record === 'version').length;
      const onlyNode = async () =>
        (await host.use<{ items: [Made] }>('memory_list_nodes', { workspace_id })).items[0].id;
      const unfinished = () => host.database.sql('memory_unfinished_histories').select('node_id');

      it('gives what an uncut one gives when it is sent again, wherever it ended', async () => {
        await send(WHOLE);
        const uncut = comparable(await exportLines(host, workspace_id));
        for (let cut = 0; cut < WHOLE.length; cut++) {
          workspace_id = await newWorkspace(host);
          const first = await send(WHOLE.slice(0, cut));
          const again = await send(WHOLE);
          assert.equal(first.imported + again.imported, WHOLE.length - 1, `cut after ${cut}`);
          assert.equal(again.skipped, first.imported, `cut after ${cut}`);
          assert.deepEqual(comparable(await exportLines(host, workspace_id)), uncut, `cut after ${cut}`);
          assert.equal((await send(WHOLE)).imported, 0);
        }
        assert.deepEqual(await unfinished(), []);
      });

      it('is completed in as many pieces as it takes', async () => {
        for (let cut = 1; cut <= WHOLE.length; cut++) await send(WHOLE.slice(0, cut));
        assert.equal(await versions(), 5);
      });

      it('goes on in a history of several transactions that broke off', async () => {
        const lines = history('long', 4_500);
        async function* broken() {
          for (const [n, value] of lines.slice(0, 4_300).entries()) yield { line: n + 1, bytes: 100, value };
          await Promise.reject(new Error('the connection was cut'));
        }
        await assert.rejects(
          host.use('memory_import', { workspace_id }, { surface: 'rest', lines: broken() }),
          'the connection was cut',
        );
        assert.ok((await versions()) > 1_000 && (await versions()) < 4_300);
        const { failed } = await send(lines);
        assert.deepEqual([failed, await versions()], [0, 4_500]);
      });

      it('is completed by nobody but its importer', async () => {
        await send(WHOLE.slice(0, 2));
        const other = await host.member(workspace_id, 'admin');
        const { imported } = await importLines(host, { workspace_id }, WHOLE.slice(0, 4), other);
        assert.deepEqual([imported, await versions()], [0, 1]);
      });

      it('is not completed where the node was changed since', async () => {
        await send(WHOLE.slice(0, 2));
        await host.use('memory_update_node', { node_id: await onlyNode(), title: 'of today' });
        assert.deepEqual([(await send(WHOLE.slice(0, 4))).imported, await versions()], [0, 2]);
      });

      it('is not completed by lines with another state of the node', async () => {
        await send(WHOLE.slice(0, 2));
        const forged = [{ ...WHOLE[0], content: 'never said' }, ...WHOLE.slice(1, 4)];
        assert.deepEqual([(await send(forged)).imported, await versions()], [0, 1]);
      });

      it('is not completed without the line of its node, or after its last line', async () => {
        await send(WHOLE.slice(0, 2));
        assert.deepEqual([(await send(WHOLE.slice(2, 4))).imported, await versions()], [0, 1]);
        await send([...WHOLE.slice(0, 2), END]);
        assert.deepEqual([(await send(WHOLE.slice(0, 4))).imported, await versions()], [0, 1]);
      });

      it('is completed after its node was deleted and restored, and not after thirty days', async () => {
        await send(WHOLE.slice(0, 2));
        const ids = [await onlyNode()];
        const { change_id } = await host.use<{ change_id: string }>('memory_delete_many', {
          workspace_id,
          ids,
        });
        await host.use('memory_undo', { change_id });
        await send(WHOLE.slice(0, 3));
        assert.equal(await versions(), 2);
        await host.database
          .sql('memory_unfinished_histories')
          .update({ imported_at: '2020-01-01T00:00:00.000Z' });
        await expire(host, []);
        await send(WHOLE.slice(0, 4));
        assert.deepEqual([await versions(), await unfinished()], [2, []]);
      });

      it('of a workspace that is deleted leaves nothing', async () => {
        await send(WHOLE.slice(0, 2));
        await host.use('workspaces_delete', { workspace_id });
        assert.deepEqual(await host.database.sql('memory_unfinished_histories').where({ workspace_id }), []);
      });
    });
  });
}
