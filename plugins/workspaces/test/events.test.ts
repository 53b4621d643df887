import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import {
  callerWith,
  eachDatabase,
  testHost,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';
import type { FileOutcome } from '@service-mcp/plugin-workspaces/contract';
import { queueOf, queueProbe } from './queue-probe.js';

interface Recorded {
  readonly type: string;
  readonly workspaceId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
interface Id {
  readonly id: string;
}

/** Events recorded since the last call, oldest first. */
function reader(host: TestHost) {
  let seen = 0;
  return async (): Promise<Recorded[]> => {
    const rows = (await host.database.sql('change_events').where('id', '>', seen).orderBy('id')) as Array<{
      id: number | string;
      type: string;
      workspace_id: string | null;
      data: string;
    }>;
    seen = Math.max(seen, ...rows.map(({ id }) => Number(id)));
    return rows
      .filter(({ type }) => type !== 'tools.changed')
      .map(({ type, workspace_id, data }) => ({
        type,
        workspaceId: workspace_id,
        data: JSON.parse(data) as Record<string, unknown>,
      }));
  };
}

eachDatabase((fresh) => {
  describe('change events', () => {
    let database: TestDatabase;
    let host: TestHost;
    let recorded: () => Promise<Recorded[]>;
    let workspaceId: string;
    beforeEach(async () => {
      database = await fresh();
      host = await testHost({ plugins: [workspaces, queueProbe], database, workers: false });
      recorded = reader(host);
      workspaceId = (await host.use<Id>('workspaces_create', { name: 'Team' })).id;
    });
    afterEach(() => host.stop());

    const project = async (name = 'p') => (await host.use<Id>('projects_create', { name })).id;
    const ingest = (projectId: string, files: Record<string, string>, more: object = {}) =>
      host.use('files_ingest', {
        project_id: projectId,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
        ...more,
      });
    const indexed = ({ id, revision }: { id: string; revision: number }): FileOutcome => ({
      id,
      revision,
      status: 'indexed',
      chunks: 1,
    });
    const settleAll = async () => {
      const queue = await queueOf(host);
      await queue.settle((await queue.claim({ limit: 100, maxBytes: 1e6 })).map(indexed));
    };
    const readies = async () =>
      (await recorded()).filter(({ type }) => type === 'project.ready').map(({ data }) => data);

    it('report workspaces and projects, once each, and conform to their declaration', async () => {
      const id = await project();
      await host.use('workspaces_update', { workspace_id: workspaceId, name: 'Crew' });
      await host.use('projects_update', { project_id: id, description: 'ours' });
      await host.use('projects_delete', { project_id: id });
      await host.use('workspaces_delete', { workspace_id: workspaceId });
      const events = await recorded();
      assert.deepEqual(events, [
        { type: 'workspace.created', workspaceId, data: { workspace_id: workspaceId, name: 'Team' } },
        { type: 'project.created', workspaceId, data: { project_id: id, name: 'p' } },
        { type: 'workspace.updated', workspaceId, data: { workspace_id: workspaceId, name: 'Crew' } },
        { type: 'project.updated', workspaceId, data: { project_id: id, name: 'p' } },
        { type: 'project.deleted', workspaceId, data: { project_id: id } },
        { type: 'workspace.deleted', workspaceId, data: { workspace_id: workspaceId } },
      ]);
      for (const { type, data } of events) {
        const declared = workspaces.events.find((event) => event.type === type);
        assert.ok(declared && Compile(declared.data).Check(data), type);
      }
    });

    it('record nothing of a change that changes nothing, whose updated_at stays', async () => {
      const id = await project();
      await recorded();
      for (const [tool, args, same] of [
        ['workspaces_update', { workspace_id: workspaceId }, { name: 'Team', description: '' }],
        ['projects_update', { project_id: id }, { name: 'p', description: '', repository_url: '' }],
      ] as const) {
        const before = await host.use(tool.replace('update', 'get'), args);
        assert.deepEqual(await host.use(tool, args), before);
        assert.deepEqual(await host.use(tool, { ...args, ...same }), before);
      }
      assert.deepEqual(await recorded(), []);
    });

    it('record nothing of a change that is refused', async () => {
      await project();
      await recorded();
      await assert.rejects(project(), /named "p"/);
      await assert.rejects(
        host.use('projects_update', { project_id: await project('q'), name: 'p' }),
        /named/,
      );
      assert.deepEqual(
        (await recorded()).map(({ type }) => type),
        ['project.created'],
      );
    });

    it('report a file that is indexed, failed and removed, without its content', async () => {
      const id = await project();
      await ingest(id, { 'a.ts': 'one', 'b.ts': 'two' });
      await recorded();
      const queue = await queueOf(host);
      const [a, b] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(a && b);
      await queue.settle([
        indexed(a),
        { id: b.id, revision: b.revision, status: 'failed', error: 'it is too deep', permanent: true },
      ]);
      await host.use('files_delete', { project_id: id, paths: ['a.ts'] });
      await settleAll();
      const place = { project_id: id };
      assert.deepEqual(
        (await recorded()).map(({ type, data }) => [type, data]),
        [
          ['file.indexed', { ...place, path: 'a.ts' }],
          ['file.failed', { ...place, path: 'b.ts', error: 'it is too deep' }],
          ['project.ready', { ...place, indexed: 1, failed: 1 }],
          ['file.removed', { ...place, path: 'a.ts' }],
          ['project.ready', { ...place, indexed: 0, failed: 1 }],
        ],
      );
    });

    it('say project.ready once the last file is settled, not before, and not where nothing waited', async () => {
      const id = await project();
      const queue = await queueOf(host);
      assert.deepEqual(await queue.claim({ limit: 10, maxBytes: 1e6 }), []);
      assert.deepEqual(await readies(), [], 'a project without files');
      await ingest(id, { a: '1', b: '2' });
      const [a, b] = await queue.claim({ limit: 10, maxBytes: 1e6 });
      assert.ok(a && b);
      await queue.settle([indexed(a)]);
      assert.deepEqual(await readies(), []);
      await queue.settle([{ id: b.id, revision: b.revision, status: 'failed', error: 'again later' }]);
      assert.deepEqual(await readies(), [], 'a file that is tried again is pending');
      await host.database.sql('file_work').update({ next_attempt_at: '' });
      await settleAll();
      assert.deepEqual(await readies(), [{ project_id: id, indexed: 2, failed: 0 }]);
      await ingest(id, { a: '1', b: '2' });
      await settleAll();
      assert.deepEqual(await readies(), [], 'nothing changed');
      await ingest(id, { a: 'changed' }, { delete_missing: true });
      await settleAll();
      assert.deepEqual(await readies(), [{ project_id: id, indexed: 1, failed: 0 }]);
      await queue.requeue();
      await settleAll();
      assert.deepEqual(await readies(), [{ project_id: id, indexed: 1, failed: 0 }]);
    });

    it('of files that are queued again say it for their projects alone', async () => {
      const [again, other] = [await project('again'), await project('other')];
      for (const id of [again, other]) await ingest(id, { a: '1' });
      const queue = await queueOf(host);
      const files = await queue.claim({ limit: 10, maxBytes: 1e6 });
      await queue.settle(files.map(indexed));
      await readies();
      const file = files.find(({ projectId }) => projectId === again);
      await queue.requeue(file?.workspaceId, [file?.id ?? '']);
      await settleAll();
      assert.deepEqual(await readies(), [{ project_id: again, indexed: 1, failed: 0 }]);
    });

    it('skip a deleted project, and report the others', async () => {
      const [gone, kept] = [await project('gone'), await project('kept')];
      await ingest(gone, { a: '1' });
      await ingest(kept, { a: '1' });
      await host.use('projects_delete', { project_id: gone });
      await settleAll();
      assert.deepEqual(await readies(), [{ project_id: kept, indexed: 1, failed: 0 }]);
    });

    it('say project.ready once however many processes settle the last files at the same moment', async () => {
      const second = await testHost({ plugins: [workspaces, queueProbe], database, workers: false });
      try {
        const id = await project();
        const queues = [await queueOf(host), await queueOf(second)] as const;
        for (let round = 0; round < 10; round += 1) {
          await ingest(
            id,
            Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f${i}`, `${round} ${i}`])),
          );
          const claimed = await queues[0].claim({ limit: 100, maxBytes: 1e6 });
          assert.equal(claimed.length, 8);
          await Promise.all(claimed.map((file, i) => queues[(i % 2) as 0 | 1].settle([indexed(file)])));
          assert.deepEqual(await readies(), [{ project_id: id, indexed: 8, failed: 0 }], `round ${round}`);
        }
      } finally {
        await second.stop();
      }
    });

    it('say it at the next look where the process died between settling and saying', async () => {
      const id = await project();
      await ingest(id, { a: '1' });
      // The state after a kill that follows the settling transaction.
      for (const table of ['files', 'file_work'])
        await host.database.sql(table).update({ indexing_status: 'indexed' });
      await host.stop();
      host = await testHost({ plugins: [workspaces, queueProbe], database, workers: false });
      const queue = await queueOf(host);
      await Promise.all([
        queue.claim({ limit: 10, maxBytes: 1e6 }),
        queue.claim({ limit: 10, maxBytes: 1e6 }),
      ]);
      await queue.claim({ limit: 10, maxBytes: 1e6 });
      const rows = (await host.database.sql('change_events').where({ type: 'project.ready' })) as unknown[];
      assert.equal(rows.length, 1);
      assert.ok(id);
    });

    it('never lose a readiness to an ingest at the same moment', async () => {
      const id = await project();
      const queue = await queueOf(host);
      for (let round = 0; round < 10; round += 1) {
        await ingest(id, { a: `first ${round}` });
        const claimed = await queue.claim({ limit: 10, maxBytes: 1e6 });
        await Promise.all([queue.settle(claimed.map(indexed)), ingest(id, { b: `second ${round}` })]);
        await settleAll();
        const last = (await readies()).at(-1);
        assert.deepEqual(last, { project_id: id, indexed: 2, failed: 0 }, `round ${round}`);
      }
    });

    it('report a person who joins, changes and leaves, and joining twice once', async () => {
      const user = callerWith();
      await host.member(workspaceId, 'member', user);
      await host.member(workspaceId, 'member', user);
      const who = { workspace_id: workspaceId, user_id: user.userId };
      const { id } = await host.use<Id>('members_update', { ...who, role: 'admin' });
      await host.use('members_update', { ...who, role: 'admin' });
      await host.use('members_remove', who);
      const events = (await recorded()).filter(({ type }) => type.startsWith('member.'));
      assert.deepEqual(
        events.map(({ type, data }) => [type, data]),
        [
          ['member.added', { id, user_id: user.userId, role: 'member' }],
          ['member.updated', { id, user_id: user.userId, role: 'admin' }],
          ['member.removed', { id, user_id: user.userId }],
        ],
      );
      assert.ok(events.every((event) => event.workspaceId === workspaceId));
    });
  });
});
