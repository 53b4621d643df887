import assert from 'node:assert/strict';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import search from '@service-mcp/plugin-search';
import bookmarks from 'service-mcp-plugin-bookmarks';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

interface Bookmark {
  readonly id: string;
  readonly title: string;
  readonly state: string;
}
interface Found {
  readonly results: ReadonlyArray<{ readonly path: string }>;
}

describe('bookmarks', () => {
  eachDatabase((fresh) => {
    let host: TestHost;
    let workspace: { readonly id: string };
    before(async () => {
      host = await testHost({
        plugins: [workspaces, syntax, search, bookmarks],
        config: { bookmarks: { stale_after_seconds: 20 } },
        database: await fresh(),
      });
      workspace = await host.use('workspaces_create', { name: 'Team' });
    });
    after(() => host.stop());

    const create = (name: string, title = name) =>
      host.use<Bookmark>('bookmarks_create', {
        workspace_id: workspace.id,
        url: `https://example.org/${name}`,
        title,
      });
    const list = async (state: string) => {
      const { items } = await host.use<{ items: Bookmark[] }>('bookmarks_list', { state });
      return items.map(({ id }) => id);
    };
    const eventsOf = async (id: string) => {
      const rows = (await host.database.sql('change_events').orderBy('id')) as Array<Record<string, string>>;
      return rows.filter(({ data = '' }) => data.includes(id)).map(({ type }) => type);
    };

    it('creates one bookmark of an address, however many create it at once', async () => {
      const made = await Promise.all(['a', 'b', 'c', 'd'].map((title) => create('lamp', title)));
      const [first] = made;
      assert.ok(first);
      for (const each of made) assert.deepEqual(each, first);
      assert.deepEqual(await eventsOf(first.id), ['bookmark.created']);
    });

    it('marks a bookmark as read, once', async () => {
      const { id } = await create('bell');
      assert.ok((await list('unread')).includes(id));
      assert.equal((await host.use<Bookmark>('bookmarks_mark_read', { bookmark_id: id })).state, 'read');
      await host.use('bookmarks_mark_read', { bookmark_id: id });
      assert.deepEqual(await list('read'), [id]);
      assert.deepEqual(await eventsOf(id), ['bookmark.created', 'bookmark.read']);
    });

    it('lets a viewer read and not write', async () => {
      const args = { bookmark_id: (await create('door')).id };
      const viewer = await host.member(workspace.id, 'viewer');
      assert.equal((await host.use<Bookmark>('bookmarks_get', args, { as: viewer })).title, 'door');
      for (const tool of ['bookmarks_mark_read', 'bookmarks_delete'])
        await rejects(host.use(tool, args, { as: viewer }), 'PERMISSION_DENIED', /viewer/);
    });

    it('is found by search until it is deleted, and can be created again', async () => {
      const { id } = await create('zwiebelfisch');
      const find = async () => {
        const args = { workspace_id: workspace.id, query: 'zwiebelfisch' };
        const { results } = await host.use<Found>('search_keyword', args);
        return results.map(({ path }) => path);
      };
      await until(async () => (await find()).includes(`bookmarks://${id}`));
      await host.use('bookmarks_delete', { bookmark_id: id });
      assert.deepEqual(await find(), [], 'a deleted bookmark is hidden before the index drops it');
      await rejects(host.use('bookmarks_get', { bookmark_id: id }), 'NOT_FOUND', /bookmarks_list/);
      assert.notEqual((await create('zwiebelfisch')).id, id);
      await until(async () => (await host.database.sql('bookmarks').where({ id })).length === 0);
      assert.deepEqual(await eventsOf(id), ['bookmark.created', 'bookmark.deleted']);
    });

    it('marks as stale what is unread for too long', async () => {
      const { id } = await create('creak');
      await host.database.sql('bookmarks').where({ id }).update({ updated_at: '2020-01-01T00:00:00.000Z' });
      await until(async () => (await list('stale')).includes(id));
      assert.deepEqual(await eventsOf(id), ['bookmark.created', 'bookmark.stale']);
    });

    it('is erased with its workspace', async () => {
      await host.use('workspaces_delete', { workspace_id: workspace.id });
      assert.deepEqual(await host.database.sql('bookmarks'), []);
    });
  });
});

/** Waits for a condition; the time-out of the test ends it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100));
}
