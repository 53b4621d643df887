import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, probe } from '@service-mcp/core/testing';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { startStore, type GraphService, type TestProject } from './support/store-service.js';

const functionOf = (name: string) => `package store\n\nfunc ${name}() int { return 1 }\n`;

eachDatabase((fresh) => {
  describe('a graph that is overtaken by', () => {
    const { plugin, services } = probe({ changes: FileChanges }, 'changes');
    let service: GraphService;
    let project: TestProject;
    before(async () => {
      service = await startStore({ database: await fresh(), plugins: [plugin] });
    });
    beforeEach(async () => {
      project = await service.createProject();
    });
    after(() => service.stop());

    const rows = (table: string) => service.host.database.sql(table);
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
        await project.ingest({ 'secret.go': functionOf('SecretOfUser') });
        while (!seen.isDeleted) await delay(10);
        await turnIsOver();
        assert.deepEqual(await rows('graph_structures').where({ workspace_id: project.workspaceId }), []);
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
