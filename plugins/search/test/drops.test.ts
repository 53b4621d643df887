import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onDatabase, probe } from '@service-mcp/core/testing';
import { IndexTables } from '@service-mcp/plugin-search/internals';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { attach, newSite, site, type Site } from './harness.js';

const config = { training: false };
/** More than are applied in one round. */
const MANY = 120;

/** Notes of deletions that are not in the index of a workspace yet. */
const notes = ({ host, workspaceId }: Site) =>
  host.database.sql('search_drops').where({ index_of: workspaceId });

onDatabase('sqlite', (fresh) => {
  describe('what was deleted', () => {
    it('leaves an index that could not be read meanwhile, and holds other workspaces up at no time', async () => {
      const database = await fresh();
      const first = await site({ database, config });
      const sound = await newSite(first.host);
      for (const each of [first, sound]) {
        await each.ingest({ 'walrus.md': 'A walrus sleeps on the ice.\n' });
        await each.settled();
      }
      await first.stop();
      const folder = join(database.dataDir, 'lancedb', 'w', first.workspaceId, 'g1');
      const marked = join(folder, 'marker.lance'); // to open a folder that is gone would make it
      await rename(marked, `${marked}-away`);
      const { host } = await site({ database, config });
      const [away, other] = [first, sound].map((of) => attach(host, of.workspaceId, of.projectId));
      assert.ok(away && other);
      try {
        await host.database.sql('search_drops').insert(
          Array.from({ length: MANY }, (_, n) => ({
            scope: 'project',
            id: `0-${String(n).padStart(3, '0')}`, // before every other
            index_of: away.workspaceId,
            generation: 0,
          })),
        );
        for (const each of [away, other]) await host.use('projects_delete', { project_id: each.projectId });
        while ((await notes(other)).length > 0) await delay(20);
        assert.equal((await notes(away)).length, MANY + 1);
        await rename(`${marked}-away`, marked);
        while ((await notes(away)).length > 0) await delay(20);
        const { marker } = await host.database
          .sql('search_indexes')
          .where({ workspace_id: away.workspaceId })
          .first<{ marker: string }>('marker');
        const tables = await IndexTables.open(folder, marker);
        assert.deepEqual(await tables.counts(), { documents: 0, chunks: 0, vectors: 0 });
        await tables.close();
      } finally {
        await host.stop();
      }
    });

    it('is not taken for what an index should not hold while its removal waits', async () => {
      const database = await fresh();
      const first = await site({ database, config });
      const other = await newSite(first.host);
      for (const each of [first, other]) {
        await each.ingest({ 'walrus.md': 'A walrus sleeps on the ice.\n', 'seal.md': 'A seal swims.\n' });
        await each.settled();
      }
      await first.stop();
      const { host } = await site({ database, config, workers: false });
      try {
        const { sql } = host.database;
        const seen = { looks: 0 };
        sql.on('query', (query: { readonly sql: string }) => {
          if (/^select .* from .search_drops. where .index_of. =/u.test(query.sql)) seen.looks += 1;
        });
        await host.use('files_delete', { project_id: first.projectId, paths: ['seal.md'] });
        await host.use('projects_delete', { project_id: other.projectId });
        for (const of of [first, other]) {
          seen.looks = 0;
          await attach(host, of.workspaceId, of.projectId).search('keyword', { query: 'sleeps' });
          const uncertain = () => sql('search_drops').where({ index_of: of.workspaceId, scope: 'document' });
          while (seen.looks < 2 && (await uncertain()).length === 0) await delay(20);
          assert.deepEqual(await uncertain(), []);
        }
      } finally {
        await host.stop();
      }
    });

    it('is taken out of the files of an index too, though nothing is written to it any more', async () => {
      const database = await fresh();
      const at = await site({ database, config: { ...config, query_timeout_ms: 200 } });
      try {
        await at.ingest({ 'walrus.md': 'A walrus sleeps on the ice.\n' });
        const rest = await at.host.use<{ id: string }>('projects_create', {
          workspace_id: at.workspaceId,
          name: 'rest',
        });
        await attach(at.host, at.workspaceId, rest.id).ingest({ 'seal.md': 'A seal swims.\n' });
        await at.settled();
        const index = () =>
          at.host.database
            .sql('search_indexes')
            .where({ workspace_id: at.workspaceId })
            .first<{ documents: number; writes: number; clean_at: string }>();
        const isQuiet = ({ writes, clean_at }: { writes: number; clean_at: string }) =>
          writes === 0 && clean_at === '';
        while (!isQuiet(await index())) await delay(20);
        await at.host.use('projects_delete', { project_id: at.projectId });
        while ((await index()).documents > 1) await delay(20);
        while (!isQuiet(await index())) await delay(20);
        const folder = join(database.dataDir, 'lancedb', 'w', at.workspaceId);
        for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue;
          const bytes = await readFile(join(file.parentPath, file.name));
          assert.ok(!bytes.includes('walrus'), join(file.parentPath, file.name));
        }
        // Segments that were merged leave SQL once nobody can be reading them.
        const { sql } = at.host.database;
        const merged = { workspace_id: at.workspaceId, documents: 0, bits: 0, bytes: 0, document_ids: '[]' };
        const far = '2999-01-01T00:00:00.000Z';
        await sql('search_segments').insert({ ...merged, expires_at: far });
        const left = attach(at.host, at.workspaceId, rest.id);
        await left.ingest({ 'gull.md': 'A gull flies.\n' });
        await left.settled();
        for (let of = await index(); !isQuiet(of) && of.clean_at !== far; of = await index()) await delay(20);
        assert.equal((await index()).clean_at, far);
        const past = '2000-01-01T00:00:00.000Z';
        await sql('search_segments').where({ expires_at: far }).update({ expires_at: past });
        await sql('search_indexes').update({ clean_at: past });
        while (!isQuiet(await index())) await delay(20);
        assert.deepEqual(await sql('search_segments').whereNot({ expires_at: '' }), []);
      } finally {
        await at.stop();
      }
    });

    it('stops no other workspace where its index takes no writes, and leaves it once it does', async () => {
      const at = await site({ config });
      const dropWhere = Reflect.get(IndexTables.prototype, 'dropWhere');
      try {
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await at.settled();
        const other = await newSite(at.host);
        const seen = { tries: 0 };
        IndexTables.prototype.dropWhere = () => {
          seen.tries += 1;
          return Promise.reject(
            new Error('lance error: LanceError(IO): Read-only file system (os error 30)'),
          );
        };
        await at.host.use('projects_delete', { project_id: at.projectId });
        while (seen.tries === 0) await delay(10);
        await other.ingest(
          Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.md`, `Seal ${n}.\n`])),
        );
        await other.settled();
        assert.equal((await notes(at)).length, 1);
        IndexTables.prototype.dropWhere = dropWhere;
        while ((await notes(at)).length > 0) await delay(20);
      } finally {
        IndexTables.prototype.dropWhere = dropWhere;
        await at.stop();
      }
    });

    it('stops no other workspace as vectors that stay either, nor does maintenance that fails', async () => {
      const at = await site({ config });
      const folderOf = Reflect.get(IndexTables.prototype, 'folderOf');
      const dropSpace = Reflect.get(IndexTables.prototype, 'dropSpace');
      const { sql } = at.host.database;
      const isOf = (of: Site, tables: IndexTables) =>
        folderOf.call(tables, tables.documents)?.includes(of.workspaceId) === true;
      const refuse = () => {
        throw new Error('lance error: LanceError(IO): Read-only file system (os error 30)');
      };
      try {
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await at.settled();
        const other = await newSite(at.host); // after the first in order of id
        IndexTables.prototype.folderOf = function (table) {
          return isOf(at, this) ? refuse() : folderOf.call(this, table);
        };
        IndexTables.prototype.dropSpace = async function (id) {
          return isOf(at, this) ? refuse() : dropSpace.call(this, id);
        };
        await other.ingest({ 'a.md': 'The seal sleeps.\n' });
        await other.settled();
        await sql('search_indexes').where({ workspace_id: at.workspaceId }).update({ writes: 1 });
        const space = { space_id: 'former', kind: 'hashed', state: 'retired', dimensions: 160, chunks: 0 };
        const rest = { generation: 1, cursor: '', since: '2000-01-01T00:00:00.000Z' };
        await sql('search_spaces').insert(
          [at, other].map(({ workspaceId }) => ({ workspace_id: workspaceId, ...space, ...rest })),
        );
        const waits = async ({ workspaceId }: Site) => {
          const of = { workspace_id: workspaceId };
          const written = await sql('search_indexes').where(of).where('writes', '>', 0);
          return written.length + (await sql('search_spaces').where({ ...of, space_id: 'former' })).length;
        };
        while ((await waits(other)) > 0) await delay(20);
        assert.equal(await waits(at), 2);
        Object.assign(IndexTables.prototype, { folderOf, dropSpace });
        while ((await waits(at)) > 0) await delay(20);
      } finally {
        Object.assign(IndexTables.prototype, { folderOf, dropSpace });
        await at.stop();
      }
    });

    it('as a workspace while its files are being indexed leaves no vector space', async () => {
      const { plugin, services } = probe({ changes: FileChanges });
      const at = await site({ config, plugins: [plugin] });
      try {
        const changes = services().changes.for('search');
        const claim = changes.claim.bind(changes);
        const seen = { isDeleted: false };
        changes.claim = async (limits) => {
          const claimed = await claim(limits);
          if (!seen.isDeleted && claimed.length > 0) {
            await at.host.use('workspaces_delete', { workspace_id: at.workspaceId });
            seen.isDeleted = true;
          }
          return claimed;
        };
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        while (!seen.isDeleted || (await notes(at)).length > 0) await delay(10);
        assert.deepEqual(await at.host.database.sql('search_spaces'), []);
      } finally {
        await at.stop();
      }
    });
  });
});
