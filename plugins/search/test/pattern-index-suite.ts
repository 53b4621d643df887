import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { onDatabase, probe, type TestDatabase } from '@service-mcp/core/testing';
import {
  compilePattern,
  createSegmentStore,
  TrigramIndex,
  trigramPlan,
} from '@service-mcp/plugin-search/internals';
import type { IndexSource } from '@service-mcp/plugin-search/contract';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';
import { attach, site, type Site } from './harness.js';

/** A source of nothing but these documents. */
function sourceOf(documents: ReadonlyMap<string, string>): IndexSource {
  const state = {
    projectId: null,
    kind: 'doc',
    path: '',
    language: null,
    title: '',
    tags: [],
    updatedAt: '',
    sha256: '',
  };
  return {
    name: 'test',
    kinds: ['doc'],
    claim: async () => [],
    settle: async () => undefined,
    states: async (ids) => new Map(ids.filter((id) => documents.has(id)).map((id) => [id, state])),
    statesIn: async () => new Map([...documents.keys()].map((id) => [id, state])),
    texts: async () => documents,
    newest: async () => [],
    indexedTotal: async () => documents.size,
    requeue: async () => 0,
    waitingWorkspaces: async () => [],
  };
}

/** The candidates of patterns beside the texts. */
export function patternIndexSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('patterns over the trigram index', () => {
      let at: Site;
      const { plugin, services } = probe({ changes: FileChanges });
      beforeEach(async () => {
        at = await site({ database: await fresh(), plugins: [plugin] });
      });
      afterEach(() => at.stop());

      const paths = async (query: string, more: object = {}) =>
        (await at.search('pattern', { query, ...more })).results.map(({ path }) => path);

      it('find a document in its latest text, whatever segments hold of it', async () => {
        for (const animal of ['walrus', 'badger', 'heron', 'weasel', 'otter', 'lynx']) {
          await at.ingest({ 'a.md': `The ${animal} sleeps.\n`, [`${animal}.md`]: `Only ${animal}.\n` });
          await at.settled();
        }
        assert.deepEqual(await paths('lynx'), ['a.md', 'lynx.md']);
        assert.deepEqual(await paths('LYNX|Badger', { case_sensitive: false }), [
          'a.md',
          'badger.md',
          'lynx.md',
        ]);
        assert.deepEqual(await paths('The w\\w+'), []);
        await at.host.use('files_delete', { project_id: at.projectId, paths: ['lynx.md'] });
        assert.deepEqual(await paths('lynx'), ['a.md']);
        assert.deepEqual(await paths('lynx', { filters: { path_glob: '*.ts' } }), []);
        assert.deepEqual(await paths('lynx', { filters: { kinds: ['doc'], path_prefix: 'a' } }), ['a.md']);
        assert.deepEqual(await paths('lynx', { filters: { modified_after: '2999-01-01T00:00:00Z' } }), []);
        // One that is indexed while what waits is read.
        const changes = services().changes.for('search');
        const newest = changes.newest.bind(changes);
        changes.newest = async (workspaceId, limit) => {
          changes.newest = newest;
          await at.ingest({ 'late.md': 'A lynx.\n' });
          await at.settled();
          return newest(workspaceId, limit);
        };
        assert.deepEqual(await paths('lynx'), ['a.md', 'late.md']);
      });

      it('cross the line ends of Windows, and place matches in the stored text', async () => {
        const text = '\uFEFFfirst line\r\nbegin\r\nend of it\r\n';
        await at.ingest({
          'dos.md': text,
          'unix.md': text.slice(1).replaceAll('\r\n', '\n'),
          'z.md': 'other\n',
        });
        await at.settled();
        assert.deepEqual(await paths('begin\\nend', { multiline: true }), ['dos.md', 'unix.md']);
        assert.deepEqual(await paths('^begin$\\n^end of', { multiline: true }), ['dos.md', 'unix.md']);
        assert.deepEqual(await paths('^first'), ['dos.md', 'unix.md']);
        const [result] = (await at.search('pattern', { query: 'begin\\nend', multiline: true })).results;
        const [highlight] = result?.highlights ?? [];
        assert.ok(result && highlight);
        assert.deepEqual(
          [result.start_line, result.end_line, highlight.line, highlight.column],
          [2, 3, 2, 1],
        );
        assert.equal(result.content.slice(highlight.start, highlight.end), 'begin\r\nend');
      });

      it('are gone with the workspace', async () => {
        await at.ingest({ 'a.md': 'The walrus sleeps.\n' });
        await at.settled();
        const { sql } = at.host.database;
        assert.equal((await sql('search_segments')).length, 1);
        await at.host.use('workspaces_delete', { workspace_id: at.workspaceId });
        assert.deepEqual([await sql('search_segments'), await sql('search_postings')], [[], []]);
      });

      it('are answered while segments merge, and merges drop what is gone', async () => {
        const { database } = at.host;
        const documents = new Map(
          Array.from({ length: 300 }, (_, i) => [`d${i}`, `text number ${i} of many, ${'x'.repeat(i)}`]),
        );
        const store = createSegmentStore(database);
        const source: IndexSource = {
          ...sourceOf(documents),
          states: () => assert.fail('states read every record, to know which are there'),
          living: async (ids) => new Set(ids.filter((id) => documents.has(id))),
        };
        const index = new TrigramIndex(store, [source]);
        const all = [...documents].map(([id, text]) => ({ id, text, removed: false }) as never);
        for (let from = 0; from < all.length; from += 10) await index.add('w', all.slice(from, from + 10));
        const candidates = async (query: string) => {
          const options = { query, case_sensitive: true, multiline: false, whole_word: false };
          const plan = trigramPlan(compilePattern(options).program);
          assert.ok(plan);
          return index.candidates('w', plan);
        };
        const until = new AbortController();
        const searching = (async () => {
          while (!until.signal.aborted) {
            assert.ok((await candidates('number 117 of')).has('d117'));
            await delay(1);
          }
        })();
        await index.maintain('w');
        until.abort();
        await searching;
        const segments = await store.list('w');
        assert.ok(segments.length < 10, `${segments.length} segments`);
        assert.equal((await candidates('text number')).size, 300);
        for (const id of [...documents.keys()].slice(0, 295)) documents.delete(id);
        await index.add('w', all.slice(295));
        await index.maintain('w');
        assert.equal((await candidates('text number')).size, 5);
        await database
          .sql('search_segments')
          .whereNot({ expires_at: '' })
          .update({ expires_at: '2000-01-01T00:00:00.000Z' });
        await store.sweep('w');
        assert.equal((await database.sql('search_segments')).length, 1);
      });
    });

    describe('patterns over texts that wait', () => {
      it('say that they are not all looked at', async () => {
        const at = await site({ database: await fresh(), workers: false });
        try {
          const names = Array.from({ length: 1001 }, (_, n) => [`${n}.txt`, 'badger'] as const);
          await at.ingest(Object.fromEntries(names));
          const found = await at.search('pattern', { query: 'badger', output_format: 'count' });
          assert.deepEqual([found.total >= 1000, found.total_is_lower_bound], [true, true]);
          assert.match(found.warnings.join(), /^More waits to be indexed/u);
        } finally {
          await at.stop();
        }
      });

      it('and every other search say that files could not be indexed', async () => {
        const at = await site({ database: await fresh(), workers: false });
        try {
          await at.ingest({ 'a.md': 'The badger sleeps.\n', 'b.md': 'The walrus wakes.\n' });
          const work = at.host.database.sql('file_work').where({ consumer: 'search' });
          await work.update({ indexing_status: 'failed' });
          for (const mode of ['keyword', 'semantic', 'hybrid', 'pattern']) {
            const said = async (more: object) =>
              (await at.search(mode, { query: 'badger', ...more })).warnings.join(' ');
            assert.match(
              await said({ project_id: at.projectId }),
              /^2 files could not be indexed.*files_list/u,
            );
            assert.doesNotMatch(await said({ filters: { kinds: ['event'] } }), /indexed/u);
          }
        } finally {
          await at.stop();
        }
      });

      it('find a file as soon as it is saved, and a changed one in its new text alone', async () => {
        const database = await fresh();
        const before = await site({ database });
        const former = 'export function walrus() {\n  return 1;\n}\n';
        await before.ingest({ 'a.md': 'The walrus sleeps.\n', 'src/b.ts': former });
        await before.settled();
        const [named] = (await before.search('pattern', { query: 'return' })).results;
        assert.deepEqual([named?.symbol, named?.title], ['walrus', 'export function walrus()']);
        await before.stop();
        const at = await site({ database, workers: false });
        const old = attach(at.host, before.workspaceId, before.projectId);
        try {
          for (const each of [at, old]) {
            await each.ingest({ 'a.md': 'The badger sleeps.\n', 'src/b.ts': 'const badger = 1;\n' });
            const { results, index, total } = await each.search('pattern', { query: 'badger' });
            assert.deepEqual(
              results.map(({ path, stale, kind, symbol, title }) => [path, stale, kind, symbol, title]),
              [
                ['a.md', false, 'doc', undefined, ''],
                ['src/b.ts', false, 'code', undefined, ''],
              ],
            );
            assert.deepEqual([index.state, index.pending, total], ['indexing', 2, 2]);
            assert.equal((await each.search('pattern', { query: 'walrus' })).total, 0);
            assert.equal((await each.search('pattern', { query: '\\w{6,}' })).total, 2);
          }
        } finally {
          await at.stop();
        }
      });
    });
  });
}
