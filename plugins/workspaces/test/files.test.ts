import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

interface Id {
  id: string;
}

const sha256 = (text: string) => hash('sha256', text);

eachDatabase((fresh) => {
  describe('projects and files', () => {
    let host: TestHost;
    before(async () => {
      host = await testHost({ plugins: [workspaces], database: await fresh() });
      await host.use('workspaces_create', { name: 'team' });
    });
    after(() => host.stop());

    const use = <T>(...args: Parameters<TestHost['use']>) => host.use<T>(...args);

    let project: Id;
    before(async () => {
      project = await use<Id>('projects_create', { name: 'app' });
    });
    const ingest = (files: object[], more: object = {}) =>
      use<{
        received: number;
        changed: number;
        unchanged: number;
        removed: number;
        rejected: Array<{ path: string; reason: string }>;
      }>('files_ingest', { project_id: project.id, files, ...more });

    it('refuses a second project of the name, even at the same time', async () => {
      await rejects(host.use('projects_create', { name: 'app' }), 'CONFLICT', /another name/);
      const both = await Promise.allSettled([
        host.use('projects_create', { name: 'twin' }),
        host.use('projects_create', { name: 'twin' }),
      ]);
      assert.deepEqual(both.map((one) => one.status).sort(), ['fulfilled', 'rejected']);
    });

    it('says not_indexed before the first ingest, empty when all is gone', async () => {
      const empty = await use<Id>('projects_create', { name: 'states' });
      const state = async () =>
        (await use<{ state: string }>('projects_index_status', { project_id: empty.id })).state;
      assert.equal(await state(), 'not_indexed');
      await host.use('files_ingest', { project_id: empty.id, files: [{ path: 'a', content: 'x' }] });
      assert.equal(await state(), 'ready', 'no plugin has anything to do with files here');
      await host.use('files_delete', { project_id: empty.id, paths: ['a'] });
      assert.equal(await state(), 'empty');
    });

    it('stores, counts unchanged content as free, and reads lines back', async () => {
      const files = [
        { path: 'src/a.ts', content: 'one\ntwo\nthree\n' },
        { path: 'src/b.ts', content: 'one\ntwo\nthree\n' },
        { path: 'é/ü.md', content: '# 你好 🎉\n' },
      ];
      assert.deepEqual(await ingest(files), {
        received: 3,
        changed: 3,
        unchanged: 0,
        removed: 0,
        rejected: [],
      });
      assert.deepEqual(await ingest(files), {
        received: 3,
        changed: 0,
        unchanged: 3,
        removed: 0,
        rejected: [],
      });
      const contents = await host.database
        .sql('file_contents')
        .where({ sha256: sha256('one\ntwo\nthree\n') });
      assert.equal(contents.length, 1, 'the same content is kept once');
      const read = await use<{ content: string; total_lines: number; end_line: number }>('files_read', {
        project_id: project.id,
        path: 'src/a.ts',
        start_line: 2,
        end_line: 99,
      });
      assert.equal(read.content, 'two\nthree\n');
      assert.deepEqual([read.end_line, read.total_lines], [3, 3]);
      assert.equal(
        (await use<{ content: string }>('files_read', { project_id: project.id, path: 'é/ü.md' })).content,
        '# 你好 🎉\n',
      );
      const listed = await use<{ items: Array<{ path: string }>; total: number }>('files_list', {
        project_id: project.id,
        path_prefix: 'é',
      });
      assert.deepEqual(
        listed.items.map((file) => file.path),
        ['é/ü.md'],
      );
    });

    it('reads the last lines as they are, with or without a line break at the end', async () => {
      await ingest([
        { path: 'open.txt', content: 'one\ntwo' },
        { path: 'closed.txt', content: 'one\ntwo\n' },
        { path: 'empty.txt', content: '' },
      ]);
      const read = async (path: string, start_line: number, end_line?: number) =>
        (await use<{ content: string }>('files_read', { project_id: project.id, path, start_line, end_line }))
          .content;
      assert.equal((await read('open.txt', 1, 1)) + (await read('open.txt', 2)), 'one\ntwo');
      assert.equal((await read('closed.txt', 1, 1)) + (await read('closed.txt', 2)), 'one\ntwo\n');
      assert.equal(await read('empty.txt', 1), '');
      await rejects(read('empty.txt', 2), 'INVALID_ARGUMENT', /start_line: the file has 0 lines/);
    });

    it('reads a line from a character on, with the lines after it', async () => {
      await ingest([{ path: 'wide.txt', content: 'one\n0123456789\nthree\n' }]);
      const read = (start_column: number, more: object) =>
        use<{ content: string }>('files_read', {
          project_id: project.id,
          path: 'wide.txt',
          start_column,
          ...more,
        });
      assert.equal((await read(8, { start_line: 2 })).content, '789\nthree\n');
      assert.equal((await read(11, { start_line: 2, end_line: 2 })).content, '\n');
      await rejects(read(12, { start_line: 2 }), 'INVALID_ARGUMENT', /start_column: the line has 10 char/);
      await rejects(read(5, {}), 'INVALID_ARGUMENT', /start_column: the line has 3 characters/);
    });

    it('takes a language for content that it has', async () => {
      const script = { path: 'bin/tool', content: 'print(1)\n' };
      const languages = async () =>
        (
          await use<{ items: Array<{ language: string | null }> }>('files_list', {
            project_id: project.id,
            path_prefix: 'bin/',
          })
        ).items.map(({ language }) => language);
      await ingest([script]);
      assert.equal((await ingest([{ ...script, language: 'Python' }])).changed, 1);
      assert.deepEqual(await languages(), ['python']);
      for (const same of [script, { ...script, language: 'python' }])
        assert.equal((await ingest([same])).unchanged, 1);
      assert.deepEqual(await languages(), ['python']);
    });

    it('lists a folder with its folders and their counts', async () => {
      const { id: project_id } = await use<{ id: string }>('projects_create', { name: 'folders' });
      const paths = ['a.md', 'é/x/1.ts', 'é/x/2.ts', 'é/y.ts', 'é/z%/3.ts', 'éa/4.ts'];
      await host.use('files_ingest', { project_id, files: paths.map((path) => ({ path, content: path })) });
      await host.database.sql('files').where({ path: 'é/x/2.ts' }).update({ indexing_status: 'failed' });
      const list = async (more: object) => {
        const { items, total, folders } = await use<{
          items: Array<{ path: string }>;
          total: number;
          folders?: Array<{ path: string; files: number; failed: number }>;
        }>('files_list', { project_id, by_folder: true, ...more });
        const counts = folders?.map(({ path, files, failed }) => [path, files, failed]);
        return { files: items.map(({ path }) => path), total, counts };
      };
      assert.deepEqual(await list({}), {
        files: ['a.md'],
        total: 1,
        counts: [
          ['é/', 4, 1],
          ['éa/', 1, 0],
        ],
      });
      assert.deepEqual(await list({ path_prefix: 'é/' }), {
        files: ['é/y.ts'],
        total: 1,
        counts: [
          ['é/x/', 2, 1],
          ['é/z%/', 1, 0],
        ],
      });
      assert.deepEqual(await list({ path_prefix: 'é/', indexing_status: 'failed' }), {
        files: [],
        total: 0,
        counts: [['é/x/', 1, 1]],
      });
      assert.deepEqual(await list({ path_prefix: 'none/' }), { files: [], total: 0, counts: [] });
      assert.equal((await list({ by_folder: false })).counts, undefined);
      const found = async (path_contains: string, more = {}) =>
        (await list({ path_contains, by_folder: false, ...more })).files;
      assert.deepEqual(await found('Y.TS'), ['é/y.ts']);
      assert.deepEqual(await found('É/Z%'), ['é/z%/3.ts']);
      assert.deepEqual(await found('%'), ['é/z%/3.ts']);
      assert.deepEqual(await found('_'), []);
      assert.deepEqual(await found('.ts', { path_prefix: 'éa' }), ['éa/4.ts']);
      await host.use('projects_delete', { project_id });
    });

    it('rejects bad files by name and keeps the rest', async () => {
      const bad = [
        '/etc/passwd',
        '../up',
        'a/../../b',
        'a//b',
        './a',
        'C:\\x',
        '..\\..\\x',
        'a\\b.ts',
        'a\nb.ts',
        'a\u001B[2Jb.ts',
        'a\u007Fb',
        'a\u0085b',
        'gpj.\u202Eexe.ts',
        'a\u2066b',
        'a\u2028b',
        '',
        'nul\0',
        'x'.repeat(1025),
      ];
      const report = await ingest([
        ...bad.map((path) => ({ path, content: 'x' })),
        { path: 'binary', content: 'a\0b' },
        { path: 'surrogate', content: 'a\ud800b' },
        { path: 'large', content: 'x'.repeat(1024 * 1024 + 1) },
        { path: 'twice', content: 'first' },
        { path: 'twice', content: 'second' },
        { path: 'good', content: 'good' },
      ]);
      assert.equal(report.changed, 2);
      assert.equal(report.rejected.length, bad.length + 4);
      assert.equal(
        (await use<{ content: string }>('files_read', { project_id: project.id, path: 'twice' })).content,
        'second',
      );
      assert.equal(report.received, report.changed + report.unchanged + report.rejected.length);
    });

    it('drops a replaced content, and keeps one that another file shares', async () => {
      await ingest([
        { path: 'p', content: 'shared' },
        { path: 'q', content: 'shared' },
        { path: 'r', content: 'alone' },
      ]);
      await ingest([
        { path: 'p', content: 'new p' },
        { path: 'r', content: 'new r' },
      ]);
      const hashes = ['shared', 'alone'].map(sha256);
      assert.deepEqual(await host.database.sql('file_contents').whereIn('sha256', hashes).pluck('sha256'), [
        sha256('shared'),
      ]);
    });

    it('deletes files missing from a whole batch, and restores a deleted path', async () => {
      const report = await ingest([{ path: 'only', content: 'only' }], { delete_missing: true });
      assert.ok(report.removed > 5);
      const page = await use<{ total: number }>('files_list', { project_id: project.id });
      assert.equal(page.total, 1);
      assert.equal(
        (await ingest([{ path: 'good', content: 'good' }])).changed,
        1,
        'the same content again is a change',
      );
      await rejects(
        host.use('files_read', { project_id: project.id, path: 'src/a.ts' }),
        'NOT_FOUND',
        /files_list/,
      );
    });

    it('survives ten concurrent batches over the same paths', async () => {
      const batches = Array.from({ length: 10 }, (_, n) =>
        ingest(
          Array.from({ length: 20 }, (_file, i) => ({
            path: `c/${(i * 7 + n) % 20}`,
            content: `content ${(i + n) % 5}`,
          })),
        ),
      );
      await Promise.all(batches);
      const page = await use<{ items: Array<{ path: string; sha256: string }> }>('files_list', {
        project_id: project.id,
        path_prefix: 'c/',
        per_page: 100,
      });
      assert.equal(page.items.length, 20);
      for (const { path } of page.items) {
        const { content } = await use<{ content: string }>('files_read', { project_id: project.id, path });
        assert.match(content, /^content \d$/, 'no path lost its content');
      }
    });

    it('counts the overview, and deletes a project with its files', async () => {
      const overview = await use<{ counts: { files: number; projects: number } }>('workspaces_overview');
      assert.ok(overview.counts.files > 20);
      await host.use('projects_delete', { project_id: project.id });
      await rejects(host.use('files_list', { project_id: project.id }), 'NOT_FOUND', /projects_list/);
      assert.equal((await host.database.sql('file_contents').where({ sha256: sha256('only') })).length, 0);
    });
  });
});
