import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '@service-mcp/core';
import { newProcessId, onDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { attach, site, type Site } from './harness.js';

const WORKSPACES = 8;
const FILES = 12;

async function pendingFiles({ host }: Site): Promise<number> {
  return (await host.database.sql('file_work').where({ indexing_status: 'pending' })).length;
}

const leaseOf = ({ workspaceId }: Site) => ({ name: `search.index:${workspaceId}` });

/** From now on, whoever renews the lease of a workspace loses it at once to a process elsewhere. */
async function stealLeases(sql: Sql, engine: TestDatabase['engine']): Promise<() => Promise<void>> {
  const steal = `UPDATE leases SET holder = 'elsewhere/1/thief' WHERE name = NEW.name AND name LIKE 'search.index:%';`;
  const when = "WHEN (NEW.holder = OLD.holder AND NEW.holder <> 'elsewhere/1/thief')";
  if (engine === 'sqlite') {
    await sql.raw(`CREATE TRIGGER steal AFTER UPDATE ON leases FOR EACH ROW ${when} BEGIN ${steal} END`);
    return async () => void (await sql.raw('DROP TRIGGER steal'));
  }
  await sql.raw(
    `CREATE FUNCTION steal() RETURNS trigger AS $$ BEGIN ${steal} RETURN NULL; END $$ LANGUAGE plpgsql`,
  );
  await sql.raw(`CREATE TRIGGER steal AFTER UPDATE ON leases FOR EACH ROW ${when} EXECUTE FUNCTION steal()`);
  return async () => {
    await sql.raw('DROP TRIGGER steal ON leases');
    await sql.raw('DROP FUNCTION steal');
  };
}

/** Leases on indexes, on one engine; PostgreSQL runs with the long tests. */
export function leaseSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('the leases on indexes', () => {
      let database: TestDatabase;
      let at: Site;
      beforeEach(async () => {
        database = await fresh();
        at = await site({ database, workers: false });
      });
      afterEach(async () => {
        mock.timers.reset();
        await at.stop();
      });

      it('let two processes share the workspaces; each document is indexed once, also those of a dead process', async () => {
        const sites: Site[] = [];
        for (let n = 0; n < WORKSPACES; n += 1) {
          const { id } = await at.host.use<{ id: string }>('workspaces_create', { name: `w${n}` });
          const made = { workspace_id: id, name: 'p' };
          const project = await at.host.use<{ id: string }>('projects_create', made);
          const each = attach(at.host, id, project.id);
          const files = Array.from({ length: FILES }, (_, f) => [
            `${f}.md`,
            `Passage ${f} of workspace ${n}.\n`,
          ]);
          await each.ingest(Object.fromEntries(files) as Record<string, string>);
          sites.push(each);
        }
        const dead = newProcessId(2 ** 22 - 1);
        const leases = sites
          .slice(0, 3)
          .map((each) => ({ ...leaseOf(each), holder: dead, expires_at: '2999' }));
        await at.host.database.sql('leases').insert(leases);

        const workers = [await site({ database }), await site({ database })];
        while ((await pendingFiles(at)) > 0) await delay(20);
        const events = (await at.host.database
          .sql('change_events')
          .where({ type: 'file.indexed' })
          .select('workspace_id', 'data')) as { workspace_id: string; data: string }[];
        const indexed = events.map(({ workspace_id, data }) => workspace_id + data);
        assert.equal(indexed.length, WORKSPACES * FILES);
        assert.equal(new Set(indexed).size, indexed.length);
        for (const each of sites) {
          const { total, index } = await each.search('pattern', { query: 'Passage', output_format: 'count' });
          assert.deepEqual([total, index.generation], [FILES, 1]);
        }
        for (const worker of workers) await worker.stop();
      });

      it('are left alone while another process holds them', async () => {
        const { sql } = at.host.database;
        const held = { ...leaseOf(at), holder: 'elsewhere/1/other', expires_at: '2999' };
        await sql('leases').insert(held);
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        const worker = await site({ database });
        const other = attach(worker.host, worker.workspaceId, worker.projectId);
        await other.ingest({ 'a.md': 'The seal sleeps.\n' });
        await other.settled();
        assert.equal(await pendingFiles(at), 1);
        await sql('leases').where(leaseOf(at)).delete();
        await at.settled();
        await worker.stop();
      });

      it('that were lost during a write settle nothing, and what was written late is indexed again', async () => {
        const { sql } = at.host.database;
        await at.ingest({ 'deleted.md': 'The walrus sleeps.\n', 'changed.md': 'The walrus swims.\n' });
        const restore = await stealLeases(sql, database.engine);
        // The timer that renews leases would lose this one before the write where preparation takes seconds.
        mock.timers.enable({ apis: ['setInterval'] });
        const worker = await site({ database });
        while ((await sql('search_drops')).length < 2) await delay(10);
        assert.equal(await pendingFiles(at), 2, 'the loser settles nothing');
        const thief = await sql('leases').where(leaseOf(at)).first('holder');
        assert.equal((thief as { holder: string }).holder, 'elsewhere/1/thief');
        mock.timers.reset();

        // The new holder has indexed a newer revision of one and the removal of the other.
        await at.ingest({ 'changed.md': 'The walrus dives.\n' });
        await at.host.use('files_delete', { project_id: at.projectId, paths: ['deleted.md'] });
        await sql('file_work').where({ deleted: 1 }).delete();
        await sql('files').where({ deleted: 1 }).delete();
        await sql('file_work').update({ indexing_status: 'indexed' });
        await restore();
        await sql('leases').where(leaseOf(at)).delete();

        while ((await sql('search_drops')).length > 0 || (await pendingFiles(at)) > 0) await delay(10);
        const texts = async (query: string) =>
          (await at.search('keyword', { query })).results.map(({ path, content }) => [path, content.trim()]);
        assert.deepEqual(await texts('walrus'), [['changed.md', 'The walrus dives.']]);
        // No row of the deleted file is left in the index; its upkeep counts them after the notes.
        const isLeft = () =>
          sql('search_indexes').where({ workspace_id: at.workspaceId }).whereNot({ documents: 1 }).first();
        while (await isLeft()) await delay(10);
        await worker.stop();
      });
    });
  });
}
