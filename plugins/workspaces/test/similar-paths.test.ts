import assert from 'node:assert/strict';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import workspaces from '@service-mcp/plugin-workspaces';

eachDatabase((fresh) => {
  describe('a path that a project does not have', () => {
    let host: TestHost;
    let project_id: string;
    before(async () => {
      host = await testHost({ plugins: [workspaces], database: await fresh() });
      await host.use('workspaces_create', { name: 'team' });
      ({ id: project_id } = await host.use<{ id: string }>('projects_create', { name: 'shop' }));
      const paths = ['orm/session.py', 'orm/mapper.py', 'testing/session.py', 'README.md', 'lib/Über.md'];
      await host.use('files_ingest', {
        project_id,
        files: paths.map((path) => ({ path, content: `${path}\n` })),
      });
    });
    after(() => host.stop());

    const read = (path: string) => host.use<{ path: string }>('files_read', { project_id, path });

    it('is read where only its way of writing differs', async () => {
      for (const written of ['orm/session.py', 'orm\\session.py', './orm/session.py', '/orm/session.py'])
        assert.equal((await read(written)).path, 'orm/session.py');
    });

    it('is listed below a folder, however that is written', async () => {
      for (const path_prefix of ['orm/', 'orm\\', './orm/', '/orm/']) {
        const { total } = await host.use<{ total: number }>('files_list', { project_id, path_prefix });
        assert.equal(total, 2, path_prefix);
      }
    });

    it('counts a file as sent whose path is refused for how it is written, and deletes by such a path', async () => {
      const { id: project_id } = await host.use<{ id: string }>('projects_create', { name: 'written' });
      const send = (...paths: string[]) => {
        const files = paths.map((path) => ({ path, content: 'text' }));
        return host.use<{ rejected: unknown[]; removed: number }>('files_ingest', {
          project_id,
          files,
          delete_missing: true,
        });
      };
      await send('w/a.ts', 'w/b.ts');
      const paths = ['w\\a.ts', './w/b.ts'];
      const { rejected, removed } = await send(...paths);
      assert.deepEqual([rejected.length, removed], [2, 0]);
      assert.deepEqual(await host.use('files_delete', { project_id, paths }), { removed: 2 });
    });

    for (const [written, says] of [
      ['C:\\work\\shop\\orm\\session.py', /Similar: orm\/session\.py, testing\/session\.py\./],
      ['shop/testing/session.py', /Similar: testing\/session\.py, orm\/session\.py\./],
      ['session.py', /Similar: orm\/session\.py, testing\/session\.py\./],
      ['orm/session.py:12-40', /Similar: orm\/session\.py,/],
      ['README.md#L3', /Similar: README\.md\./],
      ['orm/maper.py', /Similar: orm\/mapper\.py\./],
      ['readme.md', /Similar: README\.md\./],
      ['LIB/ÜBER.MD', /Similar: lib\/Über\.md\./],
      ['orm', /It is a folder of 2 files, such as orm\/mapper\.py, orm\/session\.py\./],
      ['orm/', /It is a folder of 2 files/],
      ['nothing/like/it.go', /has no file nothing\/like\/it\.go\. Call files_list or search_hybrid/],
    ] as const)
      it(`${written} is told with what it may mean`, () => rejects(read(written), 'NOT_FOUND', says));
  });
});
