import assert from 'node:assert/strict';
import { type CallContext, type Caller, type ErrorCode } from '@service-mcp/core';
import { callerWith, eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

interface Id {
  readonly id: string;
}
const FILE = 'service://projects/{project_id}/files/{+path}';

eachDatabase((fresh) => {
  describe('resources', () => {
    let host: TestHost;
    let workspaceId: string;
    let projectId: string;
    let otherProject: string;
    let viewer: Caller;
    let stranger: Caller;
    before(async () => {
      host = await testHost({ plugins: [syntax, workspaces], database: await fresh(), workers: false });
      workspaceId = (await host.use<Id>('workspaces_create', { name: 'Team' })).id;
      projectId = (await host.use<Id>('projects_create', { workspace_id: workspaceId, name: 'Lamp' })).id;
      const other = (await host.use<Id>('workspaces_create', { name: 'Others' })).id;
      otherProject = (await host.use<Id>('projects_create', { workspace_id: other, name: 'Lamp shop' })).id;
      viewer = await host.member(workspaceId, 'viewer');
      stranger = callerWith();
      await ingest(projectId, {
        'src/a b.ts': 'export const one = 1;\n',
        'src/größe/100%.md': '# Größe\n',
        README: 'hello\n',
        'long.txt': 'x'.repeat(99).concat('\n').repeat(2000),
        'wide.txt': '😀'.repeat(50_000),
      });
      await ingest(otherProject, { 'src/secret.ts': 'secret\n' });
    });
    after(() => host.stop());

    const ingest = (project_id: string, files: Record<string, string>) =>
      host.use('files_ingest', {
        project_id,
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
      });
    const read = async (uri: string, init: Partial<CallContext> = {}) => {
      const contents = await host.catalog.readResource(uri, host.call(init));
      assert.equal(contents.length, 1);
      const [content] = contents;
      assert.ok(content?.text !== undefined);
      return { uri: content.uri, mimeType: content.mimeType, text: content.text };
    };
    const refused = async (uri: string, code: ErrorCode, init: Partial<CallContext> = {}) => {
      const { message } = await rejects(host.catalog.readResource(uri, host.call(init)), code);
      assert.ok(message.length < 2000, 'what was sent is not sent back');
    };
    const complete = (name: string, value: string, caller: Caller = viewer, template = FILE, others = {}) =>
      host.catalog.complete({ template }, { name, value, others }, host.call({ caller }));
    const fileUri = (path: string) => `service://projects/${projectId}/files/${path}`;

    it('are listed for callers who may read them', async () => {
      const uris = async (caller: Caller) =>
        (await host.catalog.resources(host.call({ caller }))).map(({ uri }) => uri);
      const templates = await host.catalog.resourceTemplates(host.call({ caller: viewer }));
      assert.deepEqual(await uris(viewer), ['service://workspaces']);
      assert.deepEqual(
        templates.map(({ uriTemplate }) => uriTemplate),
        ['service://projects/{project_id}', FILE],
      );
      assert.deepEqual(await uris(callerWith({ scopes: ['search:read'] })), []);
    });

    it('have the language by whatever name it was sent, and are listed by each', async () => {
      const { id: project_id } = await host.use<Id>('projects_create', {
        workspace_id: workspaceId,
        name: 'Named',
      });
      const files = ['C#', 'ts', 'Cobol'].map((language) => ({
        path: language,
        content: 'text\n',
        language,
      }));
      await host.use('files_ingest', { project_id, files });
      const listed = async (more: object) => {
        const page = { project_id, ...more };
        const { items } = await host.use<{ items: Array<{ language: string }> }>('files_list', page);
        return items.map(({ language }) => language);
      };
      assert.deepEqual(await listed({}), ['csharp', 'cobol', 'typescript']);
      for (const language of ['C#', 'cs', 'csharp'])
        assert.deepEqual(await listed({ language }), ['csharp'], language);
      await host.use('projects_delete', { project_id });
    });

    it('show the workspaces of the caller', async () => {
      const ids = async (caller: Caller) =>
        (
          JSON.parse((await read('service://workspaces', { caller })).text) as { workspaces: Id[] }
        ).workspaces.map(({ id }) => id);
      assert.deepEqual(await ids(viewer), [workspaceId]);
      assert.deepEqual(await ids(stranger), []);
      assert.equal((await ids(host.call().caller)).length, 2);
    });

    it('show a project and its index as the tools do', async () => {
      const { text, mimeType } = await read(`service://projects/${projectId}`, { caller: viewer });
      assert.equal(mimeType, 'application/json');
      assert.deepEqual(JSON.parse(text), {
        project: await host.use('projects_get', { project_id: projectId }),
        index: await host.use('projects_index_status', { project_id: projectId }),
      });
    });

    it('give the text of a file, whatever is in its path, with its media type', async () => {
      const spaced = await read(fileUri('src/a%20b.ts'), { caller: viewer });
      assert.deepEqual(spaced, {
        uri: fileUri('src/a%20b.ts'),
        mimeType: 'text/x-typescript',
        text: 'export const one = 1;\n',
      });
      for (const path of [
        'src/gr%C3%B6%C3%9Fe/100%25.md',
        'src%2Fgr%C3%B6%C3%9Fe%2F100%25.md',
        'src/größe/100%25.md',
      ]) {
        assert.equal((await read(fileUri(path))).text, '# Größe\n', path);
      }
      assert.equal((await read(fileUri('README'))).mimeType, 'text/plain');
    });

    it('cut a long file after a line, and say how to read on', async () => {
      const { text } = await read(fileUri('long.txt'));
      assert.ok(text.length <= 80_000, String(text.length));
      assert.match(
        text,
        /\n\[Cut after line 790 of 2000: 121000 characters are left out\. files_read reads on, with start_line 791\.\]\n$/,
      );
      const wide = (await read(fileUri('wide.txt'))).text;
      assert.ok(wide.length <= 80_000 && wide.isWellFormed());
      assert.match(wide, /\[Cut in line 1 of 1: /);
    });

    it('of other people do not exist', async () => {
      for (const uri of [`service://projects/${projectId}`, fileUri('README')]) {
        await refused(uri, 'NOT_FOUND', { caller: stranger });
        await refused(uri, 'PERMISSION_DENIED', { caller: callerWith({ scopes: ['search:read'] }) });
      }
      await refused(`service://projects/${otherProject}/files/src/secret.ts`, 'NOT_FOUND', {
        caller: viewer,
      });
      const confined = {
        ...host.call().caller,
        kind: 'api_key' as const,
        userId: viewer.userId,
        workspaceId,
      };
      assert.equal((await read(fileUri('README'), { caller: confined })).text, 'hello\n');
      await refused(`service://projects/${otherProject}`, 'NOT_FOUND', { caller: confined });
    });

    it('are not found under hostile addresses', async () => {
      for (const path of [
        '../../../etc/passwd',
        '..%2f..%2fsrc/a b.ts',
        'src/../README',
        'README%00',
        '%00',
        '%',
        '%zz',
        '%c3%28',
        '\ud800',
        'README/',
        '/README',
        'a/'.repeat(100_000),
        '%41'.repeat(100_000),
        `${':1'.repeat(500_000)}x`,
      ]) {
        await refused(fileUri(path), 'NOT_FOUND');
      }
      for (const id of [
        '',
        '%00',
        '..',
        "' OR 1=1 --",
        projectId.toUpperCase(),
        'x'.repeat(1_000_000),
        '\udfff',
      ]) {
        await refused(`service://projects/${id}`, 'NOT_FOUND');
        await refused(`service://projects/${id}/files/README`, 'NOT_FOUND');
      }
      await refused('service://workspaces/', 'NOT_FOUND');
      await refused('SERVICE://workspaces', 'NOT_FOUND');
      await refused('', 'NOT_FOUND');
    });

    it('complete ids and paths by prefix, within the workspaces of the caller', async () => {
      assert.deepEqual(await complete('project_id', ''), [projectId]);
      assert.deepEqual(await complete('project_id', projectId.slice(0, 20)), [projectId]);
      assert.deepEqual(await complete('project_id', 'lam'), [projectId]);
      assert.deepEqual(await complete('project_id', 'lam', viewer, 'service://projects/{project_id}'), [
        projectId,
      ]);
      assert.deepEqual(await complete('project_id', '', stranger), []);
      assert.deepEqual(await complete('path', 'src/'), ['src/a b.ts', 'src/größe/100%.md']);
      assert.deepEqual(await complete('path', 'src/secret'), []);
      assert.deepEqual(await complete('path', '%'), [], 'no wildcard');
      for (const value of ['\0', '\ud800', 'x'.repeat(100_000)]) {
        assert.deepEqual(await complete('path', value), []);
        assert.deepEqual(await complete('project_id', value), []);
      }
      const owner = host.call().caller;
      const inProject = (project_id: string) => complete('path', 'src/', owner, FILE, { project_id });
      assert.deepEqual(await inProject(otherProject), ['src/secret.ts']);
      assert.deepEqual(await inProject(projectId), ['src/a b.ts', 'src/größe/100%.md']);
      assert.deepEqual(await inProject('\0'), ['src/a b.ts', 'src/größe/100%.md', 'src/secret.ts']);
      assert.deepEqual(await complete('else', ''), []);
      const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`many/${i}`, 'x']));
      await ingest(projectId, many);
      assert.equal((await complete('path', 'many/')).length, 100);
    });

    it('say which events change them', () => {
      const changed = (name: string, type: string, data: object) =>
        workspaces.resources
          .find((resource) => resource.name === name)
          ?.changedBy?.[type]?.({ id: '1', type, workspaceId, data: { ...data }, occurredAt: '' });
      const file = { project_id: projectId, path: 'src/a b.ts' };
      assert.deepEqual(changed('file', 'file.indexed', file), file);
      assert.deepEqual(changed('file', 'project.deleted', { project_id: projectId }), {
        project_id: projectId,
      });
      assert.deepEqual(changed('project', 'project.ready', file), { project_id: projectId });
      assert.deepEqual(changed('workspaces', 'member.removed', {}), {});
      const declared = new Set(workspaces.events.map(({ type }) => type));
      for (const { changedBy } of workspaces.resources) {
        for (const type of Object.keys(changedBy ?? {})) assert.ok(declared.has(type), type);
      }
    });
  });
});
