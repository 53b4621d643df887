import assert from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { folderWith } from '../support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

describe('import into a workspace with quotas', () => {
  let data: Folder;
  let files: Folder;
  let workspace: string;
  const EXPORT = 'export.ndjson';
  const project = (id: string) => ({ record: 'project', id, name: `project ${id}` });
  const file = (project_id: string, path: string, content: string) => ({
    record: 'file',
    project_id,
    path,
    content,
  });
  const event = { record: 'event', id: 'e', event_type: 'note', title: 't', content: 'c' };

  beforeEach(async () => {
    [data, files] = [await folderWith(), await folderWith()];
    assert.equal((await runCommand(['migrate', '--data', data.path])).code, 0);
    workspace = ((await call({}, 'workspaces_create', '--name', 'w')) as { id: string }).id;
    const records = [project('p'), file('p', 'a', 'x'.repeat(600)), file('p', 'b', 'é'.repeat(300)), event];
    await writeExport(...records);
  });
  afterEach(async () => {
    await data.remove();
    await files.remove();
  });

  const writeExport = (...records: readonly object[]) => {
    const lines = [...records, { record: 'end', records: records.length }];
    return files.write(EXPORT, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  };
  const call = async (env: Readonly<Record<string, string>>, tool: string, ...args: string[]) => {
    const { stdout, stderr } = await runCommand(['call', '--data', data.path, tool, ...args], { env });
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout) as object;
  };
  const imports = (env: Readonly<Record<string, string>>, ...options: string[]) =>
    runCommand(['import', join(files.path, EXPORT), '--data', data.path, ...options], { env });
  const counts = async () => {
    const overview = (await call({}, 'workspaces_overview', '--workspace-id', workspace)) as {
      counts: Readonly<Record<string, number>>;
    };
    const { projects, files: held, events } = overview.counts;
    return { projects, files: held, events };
  };

  it('writes nothing where the files do not fit, and names figures and setting', async () => {
    const bytes = await imports({ SERVICE_QUOTA_BYTES: '1000' });
    assert.equal(bytes.code, 1);
    assert.match(bytes.stderr, /adds 1,200 bytes .*may hold 1,000 and holds 0.*Nothing was imported\./);
    assert.match(bytes.stderr, /→ .*quota_bytes \(SERVICE_QUOTA_BYTES\).*1200.*--memory/);
    const number = await imports({ SERVICE_QUOTA_FILES: '1' });
    assert.match(number.stderr, /adds 2 files .*may hold 1 and holds 0.*Nothing was imported\./);
    assert.match(number.stderr, /→ .*quota_files \(SERVICE_QUOTA_FILES\)/);
    assert.deepEqual(await counts(), { projects: 0, files: 0, events: 0 });
    const memory = await imports({ SERVICE_QUOTA_BYTES: '1000' }, '--memory');
    assert.equal(memory.code, 0, memory.stderr);
    assert.ok(memory.stderr.includes(`service-mcp serve --data ${data.path}\n`), memory.stderr);
    assert.deepEqual(await counts(), { projects: 0, files: 0, events: 1 });
  });

  it('does not count files that are there, which stay as they are', async () => {
    const exact = { SERVICE_QUOTA_BYTES: '1200', SERVICE_QUOTA_FILES: '2' };
    assert.equal((await imports(exact)).code, 0);
    assert.equal((await imports(exact)).code, 0);
    await writeExport(project('p'), file('p', 'a', 'x'.repeat(601)));
    assert.equal((await imports(exact)).code, 0);
    await writeExport(project('p'), file('p', 'a', 'y'), file('p', 'c', 'y'));
    const more = await imports({ ...exact, SERVICE_QUOTA_FILES: '3' });
    assert.match(more.stderr, /adds 1 byte .*may hold 1,200 and holds 1,200/);
    assert.deepEqual(await counts(), { projects: 1, files: 2, events: 1 });
  });

  it('takes what it can of an export that the quota of memory is too small for, as ever', async () => {
    await writeExport(project('p'), file('p', 'a', 'x'), event, { ...event, id: 'f', title: 'u' });
    const { code, stderr } = await imports({ SERVICE_QUOTA_EVENTS: '1' });
    assert.equal(code, 1);
    assert.match(stderr, /may hold 1 event and holds 1/);
    assert.deepEqual(await counts(), { projects: 1, files: 1, events: 1 });
  });
});
