import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { inNewWorkspaces } from './start-memory.js';
import { importLines } from './transfer.js';

interface Node {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}
/** A node that another one took the place of. */
const node = (id: string, superseded_by: string) => ({
  record: 'node',
  id,
  node_type: 'decision',
  title: id,
  content: `What ${id} says.`,
  status: 'superseded',
  superseded_by,
});

eachDatabase((fresh) => {
  describe('imports of nodes that supersede each other', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const load = (...lines: object[]) => importLines(host, { workspace_id }, lines);
    const stored = async () => {
      const args = { workspace_id, status: 'superseded', per_page: 100 };
      return (await host.use<{ items: Node[] }>('memory_list_nodes', args)).items;
    };
    const titles = async () => (await stored()).map(({ title }) => title).toSorted();
    const reopen = async (title: string) => {
      const found = (await stored()).find((each) => each.title === title);
      return host.use<Node>('memory_set_node_status', { node_id: found?.id ?? '', status: 'active' });
    };
    const refused = ({ errors }: Awaited<ReturnType<typeof load>>) => errors.map(({ line }) => line);

    it('refuse the line that closes a circle, and store the others', async () => {
      const result = await load(node('a', 'b'), node('b', 'a'), node('c', 'a'));
      assert.deepEqual([result.imported, result.failed, refused(result)], [2, 1, [2]]);
      assert.match(result.errors[0]?.message ?? '', /^superseded_by: closes a circle .* import the newest/);
      assert.deepEqual(await titles(), ['a', 'c']);
      assert.equal((await reopen('a')).status, 'active');
    });

    it('let a superseded node be worked on that names no other one', async () => {
      await load({ ...node('a', ''), superseded_by: null }, { ...node('b', ''), superseded_by: null });
      const [one, other] = await stored();
      const supersede = { node_id: one?.id, title: 'c', content: 'What c says.' };
      const { new: successor } = await host.use<{ new: Node }>('memory_supersede_node', supersede);
      assert.equal(successor.status, 'active');
      assert.equal((await reopen(other?.title ?? '')).status, 'active');
    });

    it('also where the others are stored already, and not those that only follow', async () => {
      assert.equal((await load(node('a', 'b'), node('b', 'c'), node('c', 'd'))).failed, 0);
      const result = await load(node('e', 'a'), node('d', 'a'), node('f', 'd'));
      assert.deepEqual([result.imported, refused(result)], [2, [2]]);
      const open = { ...node('d', ''), superseded_by: null, status: 'active', supersedes: 'c' };
      assert.equal((await load(open)).imported, 1);
      assert.deepEqual(await titles(), ['a', 'b', 'c', 'e', 'f']);
      assert.deepEqual(refused(await load(node('a', 'b'), node('b', 'c'))), [], 'stored lines are skipped');
    });

    it('add observations that come again to the one that holds', async () => {
      const send = (...observations: string[]) =>
        importLines(host, { workspace_id, format: 'mcp-memory' }, [
          { type: 'entity', name: 'Ada', entityType: 'person', observations },
        ]);
      const contentOf = async (node_id: string) =>
        (await host.use<{ content: string }>('memory_get_node', { node_id })).content;
      await send('Lives in Bern');
      const { items } = await host.use<{ items: Node[] }>('memory_list_nodes', { workspace_id });
      const old = items[0]?.id ?? '';
      const next = { node_id: old, title: 'Ada', content: '- Lives in Rome' };
      const { new: holds } = await host.use<{ new: Node }>('memory_supersede_node', next);
      assert.equal((await send('Lives in Bern', 'Plays')).imported, 1);
      assert.equal((await send('Lives in Bern', 'Plays')).skipped, 1);
      assert.equal(await contentOf(old), '- Lives in Bern');
      assert.equal(await contentOf(holds.id), '- Lives in Rome\n- Plays');
      await host.use('memory_delete_node', { node_id: holds.id });
      assert.match((await send('Sings')).errors[0]?.message ?? '', /is superseded/);
    });

    it('are read at once, however long the row of successors is', async () => {
      const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
      const row = names.map((id, n) => {
        const ended = n < 59 ? { status: 'superseded', superseded_by: `n${n + 1}` } : {};
        return { record: 'node', id, node_type: 'fact', title: id, content: `what ${id} says`, ...ended };
      });
      await load(...row);
      const { items } = await host.use<{ items: Node[] }>('memory_list_nodes', {
        workspace_id,
        per_page: 60,
      });
      const idOf = (name: string) => items.find(({ title }) => title === name)?.id ?? '';
      const statements: string[] = [];
      const listen = ({ sql: statement }: { sql: string }) => void statements.push(statement);
      host.database.sql.on('query', listen);
      const ids = [idOf('n0'), idOf('n59')];
      await rejects(
        host.use('memory_merge', { ids, keep: ids[0] }),
        'INVALID_ARGUMENT',
        new RegExp(`superseded by ${ids[1]}`),
      );
      host.database.sql.off('query', listen);
      assert.ok(statements.length < 30, String(statements.length));
    });
  });
});
