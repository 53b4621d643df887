import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { contribute, definePlugin } from '@service-mcp/core';
import { eachDatabase, testHost, type TestDatabase } from '@service-mcp/core/testing';
import type { ProjectGraph } from '@service-mcp/plugin-graph/internals';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import { FileConsumers } from '@service-mcp/plugin-workspaces/contract';
import { startStore, type GraphService, type TestProject } from './support/store-service.js';

const STORE = 'package store\n\nfunc Get() int { return 1 }\n';
const useOf = (...modules: string[]) =>
  `package use\n\n${modules.map((name) => `import "acme/${name}"\n`).join('')}\nfunc Run() {}\n`;

/** Ids of the files that each file imports. */
function importsOf(graph: ProjectGraph): Record<string, string[]> {
  const imports: Record<string, string[]> = {};
  for (const [index, { path }] of graph.parts.entries()) {
    const node = graph.starts[index] ?? 0;
    const { out, targets } = graph.rows;
    imports[path] = Array.from(targets.slice(out[node], out[node + 1]), (target) => graph.id(target));
  }
  return imports;
}

eachDatabase((fresh) => {
  describe('the stored graph', () => {
    let database: TestDatabase;
    let service: GraphService;
    let project: TestProject;
    before(async () => {
      database = await fresh();
      service = await startStore({ database, config: { max_bytes: 2048 } });
    });
    after(() => service.stop());
    beforeEach(async () => (project = await service.createProject()));

    const rows = (table: string) => service.host.database.sql(table);
    const changes = async () =>
      Object.fromEntries(
        (
          (await rows('graph_files').where({ project_id: project.projectId })) as {
            path: string;
            changed: number;
          }[]
        ).map(({ path, changed }) => [path, changed]),
      );
    async function ingest(files: Record<string, string>): Promise<void> {
      await project.ingest(files);
      await project.settled();
    }

    it('follows edits, new and deleted files, and is written where it changed', async () => {
      await ingest({ 'a/store.go': STORE, 'b/use.go': useOf('store', 'cache'), 'README.md': '# Store\n' });
      assert.deepEqual(importsOf(await project.graph()), {
        'README.md': [],
        'a/store.go': [],
        'b/use.go': ['a/store.go'],
      });
      const first = await changes();
      await ingest({ 'a/cache.go': STORE });
      assert.deepEqual(importsOf(await project.graph())['b/use.go'], ['a/store.go', 'a/cache.go']);
      const second = await changes();
      assert.equal(second['a/store.go'], first['a/store.go'], 'an unchanged part is not written');
      assert.ok((second['b/use.go'] ?? 0) > (first['b/use.go'] ?? 0));
      await project.remove('a/store.go');
      await ingest({ 'b/use.go': useOf('store') });
      const graph = await project.graph();
      assert.deepEqual(importsOf(graph), { 'README.md': [], 'a/cache.go': [], 'b/use.go': [] });
      assert.deepEqual(graph.node('a/cache.go#Get'), 2);
    });

    it('forgets files that were deleted while the plugin was disabled', async () => {
      const own = await fresh();
      const before = await startStore({ database: own });
      const { projectId, workspaceId, ...first } = await before.createProject();
      await first.ingest({ 'a/store.go': STORE, 'b/use.go': useOf('store') });
      await first.settled();
      const other = await before.createProject();
      await other.ingest({ 'a/store.go': STORE });
      await other.settled();
      await before.stop();
      const without = await testHost({ plugins: [syntax, workspaces], database: own, workers: false });
      await without.use('files_delete', { project_id: projectId, paths: ['a/store.go'] });
      await without.use('files_delete', { project_id: other.projectId, paths: ['a/store.go'] });
      await without.stop();
      const after = await startStore({ database: own });
      const again = after.project(workspaceId, projectId);
      await again.settled();
      assert.deepEqual(importsOf(await again.graph()), { 'b/use.go': [] });
      assert.equal((await after.host.database.sql('graph_files')).length, 1);
      await after.stop();
      const unchanged = await startStore({ database: own, workers: false });
      assert.equal((await unchanged.host.database.sql('graph_files')).length, 1);
      await unchanged.stop();
    });

    it('tells files that it has not read from those that wait for another index', async () => {
      const slow = definePlugin({
        id: 'slow',
        description: 'An index that never gets to a file.',
        api: '^1',
        requires: ['workspaces'],
        services: [contribute(FileConsumers, { uses: {}, create: () => ({ name: 'slow' }) })],
      });
      const other = await startStore({ database: await fresh(), plugins: [slow] });
      try {
        const own = await other.createProject();
        await own.ingest({ 'a/store.go': STORE, 'b/use.go': useOf('store') });
        while ((await own.waiting()).unread > 0) await delay(10);
        assert.deepEqual(await own.waiting(), { pending: 2, unread: 0 });
        assert.deepEqual(importsOf(await own.graph())['b/use.go'], ['a/store.go']);
      } finally {
        await other.stop();
      }
    });

    it('is not resolved again for changes that cannot alter it', async () => {
      await ingest({ 'README.md': '# A\n', 'store.go': STORE });
      const generation = () =>
        rows('graph_projects').where({ project_id: project.projectId }).first('generation');
      const before = await generation();
      await ingest({ 'README.md': '# B\n' });
      assert.deepEqual(await generation(), before);
      await ingest({ 'go.mod': 'module acme\n' });
      await ingest({ 'go.mod': 'module acme.org\n' });
      assert.match((await project.graph()).symbol(1).signature, /go\.mod:16/u);
    });

    it('names a file that is too large, and indexes the rest', async () => {
      const large = `package large\n\n${'func F() {}\n'.repeat(200)}`;
      await ingest({ 'large.go': large, 'use.go': useOf('large') });
      const graph = await project.graph();
      assert.deepEqual(importsOf(graph)['use.go'], ['large.go']);
      const [part] = graph.parts;
      assert.equal(part?.complete, false);
      assert.match(part?.note ?? '', /larger than 2048 bytes/u);
    });

    it('keeps a structure once for equal files, and deletes it with the last of them', async () => {
      const other = await service.createProject();
      const structures = async ({ workspaceId }: TestProject) =>
        (await rows('graph_structures').where({ workspace_id: workspaceId })).length;
      await ingest({ 'a.go': STORE, 'b.go': STORE });
      assert.equal(await structures(project), 2);
      await ingest({ 'a.go': useOf('b') });
      assert.equal(await structures(project), 2);
      await project.remove('a.go');
      await project.settled();
      assert.equal(await structures(project), 1);
      await other.ingest({ 'a.go': STORE });
      await other.settled();
      await service.host.use('projects_delete', { project_id: project.projectId });
      assert.equal(await structures(project), 0);
      for (const table of ['graph_files', 'graph_projects'])
        assert.deepEqual(await rows(table).where({ workspace_id: project.workspaceId }), []);
      await service.host.use('workspaces_delete', { workspace_id: other.workspaceId });
      for (const table of ['graph_files', 'graph_projects', 'graph_structures'])
        assert.deepEqual(await rows(table).where({ workspace_id: other.workspaceId }), []);
    });

    it('parses a file again whose structure is lost', async () => {
      await ingest({ 'a.go': STORE, 'b.go': STORE });
      const { workspaceId } = project;
      await rows('graph_structures').where({ workspace_id: workspaceId }).delete();
      const restarted = await startStore({ database });
      try {
        await service.stop();
        service = await startStore({ database, workers: false });
        const again = restarted.project(workspaceId, project.projectId);
        await again.ingest({ 'c.go': useOf('a') });
        await again.settled();
        assert.equal((await again.graph()).size, 6);
      } finally {
        await restarted.stop();
        await service.stop();
        service = await startStore({ database });
      }
    });

    it('is built again for another version', async () => {
      await ingest({ 'a.go': STORE });
      await rows('graph_projects').update({ version: 'before' });
      await rows('graph_files')
        .where({ project_id: project.projectId })
        .update({ part_hash: 'before', note: 'before' });
      while ((await rows('graph_projects').where({ version: 'before' })).length > 0)
        await new Promise((r) => setTimeout(r, 20));
      await project.settled();
      assert.equal((await project.graph()).parts[0]?.note, undefined);
    });

    it('is read once where it is larger than the cache', async () => {
      const functions = Array.from({ length: 130 }, (_, i) => `func A${i}(){}\n`).join('');
      const files = Array.from({ length: 24 }, (_, i) => [`f${i}.go`, `package a\n${functions}`]);
      await ingest(Object.fromEntries(files) as Record<string, string>);
      const small = await startStore({ database, workers: false, config: { cache_bytes: 1024 * 1024 } });
      try {
        const there = small.project(project.workspaceId, project.projectId);
        const graph = await there.graph();
        assert.ok(graph.bytes > 1024 * 1024);
        assert.equal(await there.graph(), graph);
      } finally {
        await small.stop();
      }
    });

    it('is read in every process', async () => {
      const replica = await startStore({ database, workers: false });
      try {
        const there = replica.project(project.workspaceId, project.projectId);
        assert.equal((await there.graph()).size, 0);
        await ingest({ 'store.go': STORE });
        const [one, two] = await Promise.all([there.graph(), there.graph()]);
        assert.equal(one, two, 'concurrent readers share a load');
        assert.equal(one.node('store.go#Get'), 1);
        assert.equal(await there.graph(), one);
        await project.remove('store.go');
        await project.settled();
        assert.equal((await there.graph()).size, 0);
      } finally {
        await replica.stop();
      }
    });
  });
});
