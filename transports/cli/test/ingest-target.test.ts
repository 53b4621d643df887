import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newApiKey } from '@service-mcp/plugin-auth/internals';
import { newSecret } from '@service-mcp/plugin-auth/internals';
import type { Connection } from '#cli/connection/connection.js';
import { Failure } from '#cli/failure.js';
import { resolveProject } from '#cli/ingest/resolve-project.js';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';
import { FaultyService } from './support/service.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

describe('where an ingest goes', () => {
  let service: FaultyService;
  let url: string;
  let folder: Folder;
  let home: Folder;
  beforeEach(async () => {
    service = new FaultyService();
    service.create();
    url = await service.start();
    home = await folderWith({});
    // As somebody may have committed them: their service, project and key.
    folder = await folderWith({
      'a.ts': 'export const local = true;\n',
      '.service-mcp.json': JSON.stringify({ url, workspace_id: 'w1', project_id: 'p1' }),
      '.mcp.json': JSON.stringify({
        mcpServers: { x: { url: `${url}/mcp`, headers: { 'X-API-Key': 'k' } } },
      }),
    });
  });
  afterEach(async () => {
    await service.stop();
    await folder.remove();
    await home.remove();
  });
  const ingest = (...args: string[]) =>
    runCommand(['ingest', folder.path, ...args], { cwd: folder.path, env: { XDG_CONFIG_HOME: home.path } });

  it('is asked about where only the folder names the service: without --yes nothing is sent, not even a greeting', async () => {
    const refused = await ingest();
    assert.equal(refused.code, 1);
    assert.ok(refused.stderr.includes(url), refused.stderr);
    assert.match(refused.stderr, /no key[^]*--yes/);
    assert.equal((await ingest('--json')).code, 1);
    assert.equal(service.headers.length, 0);
    const agreed = await ingest('--yes');
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.deepEqual([...service.files.keys()], ['a.ts']);
    assert.equal((await ingest()).code, 0, 'asked about once');
  });

  it('is not asked about where the person has a key for it, or named it before', async () => {
    await home.write('service-mcp/credentials.json', JSON.stringify({ [url]: { key: 'mine' } }));
    assert.equal((await ingest()).code, 0);
    await home.write('service-mcp/credentials.json', '{}');
    assert.equal((await ingest()).code, 1);
    const named = await ingest('--url', url);
    assert.equal(named.code, 0, named.stderr);
    const again = await ingest();
    assert.equal(again.code, 0, again.stderr);
  });

  it('holds for a search here too, which asks and says which service it uses', async () => {
    const search = (...args: string[]) =>
      runCommand(['search', 'x', ...args], { cwd: folder.path, env: { XDG_CONFIG_HOME: home.path } });
    const refused = await search();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /no key[^]*--yes/);
    assert.equal(service.headers.length, 0);
    const agreed = await search('--yes');
    assert.equal(agreed.code, 0, agreed.stderr);
    assert.ok(agreed.stderr.includes(`Using the service at ${url}, which .service-mcp.json`), agreed.stderr);
    assert.equal((await search()).code, 0, 'asked about once');
    assert.equal(service.calls.at(-1)?.args['project_id'], 'p1');
  });

  it('decides whether the project of the folder is meant: the ids of one service say nothing at another', async () => {
    const other = new FaultyService();
    const at = await other.start();
    const here = { cwd: folder.path, env: { XDG_CONFIG_HOME: home.path } };
    const kept = JSON.stringify({ url, workspace_id: 'w0', project_id: 'p0' });
    await folder.write('.service-mcp.json', kept);
    try {
      const found = await runCommand(['search', 'x', '--url', at], here);
      assert.equal(found.code, 0, found.stderr);
      assert.ok(found.stderr.includes(`names a project at ${url}; it is not used at ${at}`), found.stderr);
      const { args = {} } = other.calls.at(-1) ?? {};
      assert.deepEqual(Object.keys(args).toSorted(), ['limit', 'query']);
      const sent = await runCommand(['ingest', '.', '--url', at], here);
      assert.equal(sent.code, 0, sent.stderr);
      assert.deepEqual([...other.files.keys()], ['a.ts']);
      assert.match(sent.stderr, /stays as it is: pass --project p1 next time/);
      assert.ok(sent.stderr.includes(`search --url ${at} "what you look for"`), sent.stderr);
      assert.equal(await readFile(join(folder.path, '.service-mcp.json'), 'utf8'), kept);
      assert.equal(service.headers.length, 0);
    } finally {
      await other.stop();
    }
  });

  it('is named by its id: a name is advised on, as it may be meant for a new project', async () => {
    const message = 'must be an id, not a name: call projects_list for the ids';
    const issues = [{ path: '/project_id', message }];
    const refuses: unknown = {
      target: ` --url ${url}`,
      call: () => Promise.reject(new Failure(message, { code: 'INVALID_ARGUMENT', issues })),
    };
    await assert.rejects(
      resolveProject('/x', { project: 'my shop' }, undefined, refuses as Connection),
      (thrown: Failure) => {
        assert.match(thrown.message, /--project takes the id of a project; "my shop" is not one/);
        assert.match(thrown.next ?? '', /call --url \S+ projects_list.*--name 'my shop'/);
        assert.ok(thrown.next?.includes(url));
        return true;
      },
    );
  });

  it('is one workspace, also of two first ingests at once', async () => {
    const workspaces: { id: string; name: string; created_at: string }[] = [];
    const tools: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => object>> = {
      workspaces_list: () => ({ items: [...workspaces], total: workspaces.length, has_next: false }),
      workspaces_create: ({ name }) => {
        // The later one has the lower name of a list, which says nothing.
        const made = {
          id: `w${9 - workspaces.length}`,
          name: String(name),
          created_at: `${workspaces.length}`,
        };
        workspaces.push(made);
        return made;
      },
      workspaces_delete: ({ workspace_id: id }) =>
        workspaces.splice(
          workspaces.findIndex((each) => each.id === id),
          1,
        ),
      projects_list: () => ({ items: [], total: 0 }),
      projects_create: ({ name }) => ({ id: `p ${String(name)}` }),
    };
    const call = (name: string, args: Readonly<Record<string, unknown>>) =>
      Promise.resolve(tools[name]?.(args));
    const connection: unknown = { target: '', call };
    const projects = await Promise.all(
      ['/a', '/b'].map((path) => resolveProject(path, {}, undefined, connection as Connection)),
    );
    assert.deepEqual(
      projects.map(({ id, workspaceId }) => [id, workspaceId]),
      [
        ['p a', 'w9'],
        ['p b', 'w9'],
      ],
    );
    assert.deepEqual(
      workspaces.map(({ id }) => id),
      ['w9'],
    );
  });

  it('is told before the first file is sent', async () => {
    service.faults.push({ status: 403, code: 'PERMISSION_DENIED' });
    const { stderr, code } = await ingest('--yes');
    assert.equal(code, 1);
    assert.match(stderr.replaceAll(/\s+/g, ' '), new RegExp(`project \\S+ in workspace \\S+, at ${url}`));
    assert.equal(service.files.size, 0);
  });

  it('never gets a file that holds a key or token of the service, which is named', async () => {
    const { key } = newApiKey();
    await folder.write('notes/setup.md', `Use ${key} here.\n`);
    await folder.write('deploy.sh', `TOKEN=${newSecret('svc_rt_')}\n`);
    await folder.write('typo.md', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}\n`);
    const { stdout, code } = await ingest('--yes', '--json', '--include', '*', '--include', 'setup.md');
    assert.equal(code, 0);
    const { skipped, skipped_paths: paths } = JSON.parse(stdout) as IngestSummary;
    assert.deepEqual([skipped.service_key, skipped.secret], [2, 1]);
    assert.deepEqual(paths['service_key'], ['deploy.sh', 'notes/setup.md']);
    assert.deepEqual(
      [...service.files.keys()].toSorted(),
      ['a.ts', 'typo.md'],
      'a wrong checksum is not a key',
    );
    const told = await ingest('--yes');
    assert.match(told.stderr, /holds? (a key|keys) of this service/);
    assert.match(told.stderr, /notes\/setup\.md/);
  });
});
