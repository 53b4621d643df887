import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, probe, type TestDatabase } from '@service-mcp/core/testing';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { startStore, type GraphService, type TestProject } from './support/store-service.js';

/** Files of a turn's claim at most. */
const FULL_CLAIM = 64;
const functionOf = (name: string) => `package store\n\nfunc ${name}() int { return 1 }\n`;

eachDatabase((fresh) => {
  describe('a graph that is overtaken by', () => {
    const { plugin, services } = probe({ changes: FileChanges }, 'changes');
    let database: TestDatabase;
    let service: GraphService;
    let project: TestProject;
    before(async () => {
      database = await fresh();
      service = await startStore({ database, plugins: [plugin] });
    });
    beforeEach(async () => {
      project = await service.createProject();
    });
    after(() => service.stop());

    const rows = (table: string) => service.host.database.sql(table);
    const structures = async (): Promise<string[]> =>
      rows('graph_structures').where({ workspace_id: project.workspaceId }).pluck('hash');
    const leases = () => rows('leases').where({ name: `graph.index:${project.workspaceId}` });
    const turnIsOver = async () => {
      while ((await leases()).length > 0) await delay(10);
    };

    for (const scope of ['workspace', 'project'] as const)
      it(`the deletion of its ${scope} leaves no structure`, async () => {
        const changes = services().changes.for('graph');
        const claim = changes.claim.bind(changes);
        const seen = { isDeleted: false };
        changes.claim = async (limits) => {
          const claimed = await claim(limits);
          if (!seen.isDeleted && claimed.length > 0) {
            const id = scope === 'workspace' ? project.workspaceId : project.projectId;
            await service.host.use(`${scope}s_delete`, { [`${scope}_id`]: id });
            seen.isDeleted = true;
          }
          return claimed;
        };
        // The turn deletes what it has left, unless its process ends before.
        const inserted: string[] = [];
        service.host.database.sql.on('query', ({ sql }: { readonly sql: string }) => {
          if (/^insert into .graph_structures/.test(sql)) inserted.push(sql);
        });
        await project.ingest({ 'secret.go': functionOf('SecretOfUser') });
        while (!seen.isDeleted) await delay(10);
        await turnIsOver();
        assert.deepEqual([inserted, await structures()], [[], []]);
      });

    it('edits and deletions of its files leaves no structure of what they were', async () => {
      const changes = services().changes.for('graph');
      const claim = changes.claim.bind(changes);
      let hasChanged = false;
      changes.claim = async (limits) => {
        const claimed = await claim(limits);
        if (!hasChanged && claimed.length === FULL_CLAIM) {
          hasChanged = true;
          const [edited, deleted] = claimed.map(({ path }) => path) as [string, string];
          await project.ingest({ [edited]: functionOf('Edited') });
          await project.remove(deleted);
        }
        return claimed;
      };
      const files = Array.from({ length: FULL_CLAIM + 1 }, (_, i) => [`f${i}.go`, functionOf(`F${i}`)]);
      await project.ingest(Object.fromEntries(files) as Record<string, string>);
      await project.settled();
      await turnIsOver();
      assert.ok(hasChanged);
      const used = await rows('graph_files').where({ workspace_id: project.workspaceId }).pluck('structure');
      assert.deepEqual((await structures()).sort(), (used as string[]).sort());
    });

    it('the end of its process leaves no structure that the next process keeps', async () => {
      await project.ingest({ 'a.go': functionOf('A') });
      await project.settled();
      await turnIsOver();
      const { workspaceId } = project;
      await rows('graph_structures').insert({
        workspace_id: workspaceId,
        hash: 'former',
        packed: Buffer.from('x'),
      });
      await service.stop();
      service = await startStore({ database, plugins: [plugin] });
      const again = service.project(workspaceId, project.projectId);
      await again.ingest({ 'a.go': functionOf('B') });
      await again.settled();
      await turnIsOver();
      assert.equal((await structures()).length, 1);
    });

    it('another version is built again, also where that one ends between the look at it and a turn', async () => {
      await project.ingest({ 'a.go': functionOf('A'), 'b.go': functionOf('B') });
      await project.settled();
      await turnIsOver();
      await leases().insert({
        name: `graph.index:${project.workspaceId}`,
        holder: 'elsewhere/1/former',
        expires_at: '2999',
      });
      const before: { structure: string } = await rows('graph_files')
        .where({ path: 'b.go' })
        .first('structure');
      await rows('graph_structures').where({ hash: before.structure }).update({ hash: 'former' });
      await rows('graph_files').where({ path: 'b.go' }).update({ structure: 'former' });
      await rows('graph_projects').update({ version: 'former' });
      const changes = services().changes.for('graph');
      const waiting = changes.waitingWorkspaces.bind(changes);
      let hasEnded = false;
      changes.waitingWorkspaces = async (which) => {
        const found = await waiting(which);
        if (!hasEnded && which?.small && found.length > 0) {
          await leases().delete();
          hasEnded = true;
        }
        return found;
      };
      await project.ingest({ 'a.go': functionOf('Changed') });
      await project.settled();
      assert.ok(hasEnded);
      assert.deepEqual(await rows('graph_files').where({ path: 'b.go' }).first('structure'), before);
      assert.equal((await rows('graph_projects').where({ version: 'former' })).length, 0);
    });
  });
});
