import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { withoutOthers } from '#cli/import/without-others.js';
import { ended, runCommand, serve, told } from '../support/command.js';
import { folderWith } from '../support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;
interface Imported {
  readonly format: string;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
  readonly other_records: number;
  readonly errors: readonly object[];
}

const entity = (name: string) =>
  JSON.stringify({ type: 'entity', name, entityType: 'fact', observations: ['one'] });
const relation = JSON.stringify({ type: 'relation', from: 'A', to: 'B', relationType: 'uses' });

describe('import', () => {
  let data: Folder;
  let files: Folder;
  let url: string;
  let child: ReturnType<typeof serve>;
  before(async () => {
    [data, files] = [await folderWith(), await folderWith()];
    child = serve(data.path);
    ({ url } = JSON.parse(await told(child, '\n}\n')) as { url: string });
  });
  after(async () => {
    const stopped = ended(child);
    child.kill('SIGTERM');
    await stopped;
    await data.remove();
    await files.remove();
  });

  const newWorkspace = async (name: string): Promise<string> => {
    const made = await runCommand(['call', '--url', url, 'workspaces_create', '--name', name]);
    return (JSON.parse(made.stdout) as { id: string }).id;
  };
  const imports = async (path: string, workspace: string, ...options: string[]): Promise<Imported> => {
    const args = [
      'import',
      join(files.path, path),
      '--workspace',
      workspace,
      '--url',
      url,
      '--json',
      ...options,
    ];
    const { stdout, stderr } = await runCommand(args);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout) as Imported;
  };

  it('tells the format of files and folders, and reads them as lines', async () => {
    const workspace = await newWorkspace('formats');
    const memories = [
      { id: 'a', memory: 'Likes tea' },
      { id: 'b', memory: 'Likes rain' },
    ];
    await files.write('memory.json', `${entity('A')}\n${entity('B')}\n${relation}\n`);
    await files.write('mem0.json', JSON.stringify(memories, undefined, 2));
    await files.write('results.json', JSON.stringify({ results: memories }, undefined, 2));
    await files.write('notes/a.md', '---\ntitle: Note A\n---\n- needs [[b]]\n');
    await files.write('notes/sub/b.md', 'Text');
    await files.write('notes/empty.md', '');
    await files.write('notes/blank.md', '\ufeff\n \n');
    await files.write('notes/.obsidian/c.md', 'Hidden');
    const outcome = async (path: string) => {
      const { format, imported, skipped, failed } = await imports(path, workspace);
      return [format, imported, skipped, failed];
    };
    assert.deepEqual(await outcome('memory.json'), ['mcp-memory', 3, 0, 0]);
    assert.deepEqual(await outcome('mem0.json'), ['mem0', 2, 0, 0]);
    assert.deepEqual(await outcome('results.json'), ['mem0', 0, 2, 0]);
    await files.write('compact.json', JSON.stringify({ results: memories, relations: [{ source: 'a' }] }));
    assert.deepEqual(await outcome('compact.json'), ['mem0', 0, 2, 0]);
    const compact = await runCommand([
      'import',
      join(files.path, 'compact.json'),
      '--workspace',
      workspace,
      '--url',
      url,
    ]);
    assert.match(compact.stdout, /Left out, of kinds that are not imported: 1 relation\./);
    await files.write('large/a.md', 'x'.repeat(1_100_000));
    const { errors } = await imports('large', workspace);
    assert.deepEqual(errors, [{ line: 1, message: 'the note is over 1048576 bytes', name: 'a.md' }]);
    assert.deepEqual(await outcome('notes'), ['basic-memory', 3, 0, 0]);
    assert.deepEqual(await outcome('notes'), ['basic-memory', 0, 3, 0]);
  });

  it('reads one note, such as the rules of a coding agent, and skips it when its folder is read', async () => {
    const workspace = await newWorkspace('rules');
    await files.write('rules/CLAUDE.md', '# Rules\n\n- Use pnpm.\n');
    const { format, imported, failed } = await imports('rules/CLAUDE.md', workspace);
    assert.deepEqual([format, imported, failed], ['basic-memory', 1, 0]);
    const again = await imports('rules', workspace);
    assert.deepEqual([again.imported, again.skipped], [0, 1]);
    await files.write('other/CLAUDE.md', '# Rules\n\n- Use yarn.\n');
    const other = ['import', join(files.path, 'other/CLAUDE.md'), '--workspace', workspace, '--url', url];
    const { stdout } = await runCommand(other);
    assert.match(stdout, /1 was there already\.\nNotes are known by their paths: another text of one/);
  });

  it('reads the memory of both exports, served and in one process', async () => {
    const workspace = await newWorkspace('exported');
    await files.write('memory.json', `${entity('A')}\n${entity('B')}\n${relation}\n`);
    await imports('memory.json', workspace);
    await runCommand(['call', '--url', url, 'projects_create', '--workspace-id', workspace, '--name', 'P']);
    const out = (name: string) => join(files.path, name);
    const whole = await runCommand(['export', workspace, '--out', out('whole.ndjson'), '--url', url]);
    assert.equal(whole.code, 0, whole.stderr);
    const memory = [
      'export',
      '--workspace',
      workspace,
      '--memory',
      '--out',
      out('memory.ndjson'),
      '--url',
      url,
    ];
    const { code, stdout, stderr } = await runCommand([...memory, '--json']);
    assert.equal(code, 0, stderr);
    const lines = (await readFile(out('memory.ndjson'), 'utf8')).trimEnd().split('\n');
    assert.equal((JSON.parse(stdout) as { records: number }).records, lines.length - 1);
    assert.equal((JSON.parse(lines.at(-1) ?? '') as { record: string }).record, 'end');
    const copy = await newWorkspace('copy');
    const first = await imports('memory.ndjson', copy);
    assert.deepEqual([first.format, first.imported, first.failed], ['native', lines.length - 1, 0]);
    const second = await imports('whole.ndjson', copy, '--memory');
    assert.deepEqual([second.imported, second.skipped, second.failed], [0, lines.length - 1, 0]);
    assert.ok(second.other_records >= 2);

    const here = await folderWith();
    try {
      const apart = ['--data', here.path];
      assert.equal((await runCommand(['migrate', ...apart])).code, 0);
      const made = await runCommand(['call', ...apart, 'workspaces_create', '--name', 'Here']);
      assert.equal(made.code, 0, made.stderr);
      const local = await runCommand(['import', out('memory.ndjson'), ...apart]);
      assert.equal(local.code, 0, local.stderr);
      assert.match(local.stdout, new RegExp(`^${lines.length - 1} records imported \\(native\\)\\.`));
      const back = await runCommand(['export', '--memory', ...apart]);
      assert.equal(back.stdout.trimEnd().split('\n').length, lines.length);
    } finally {
      await here.remove();
    }
  });

  it('restores projects, files and memory of a whole export, and goes on where it ended', async () => {
    const call = async <T>(name: string, input: object): Promise<T> => {
      const { stdout, stderr } = await runCommand(['call', '--url', url, name, JSON.stringify(input)]);
      assert.notEqual(stdout, '', stderr);
      return JSON.parse(stdout) as T;
    };
    const [from, to] = [await newWorkspace('whole'), await newWorkspace('restored')];
    const project = { workspace_id: from, name: 'P', description: 'D' };
    const { id: old } = await call<{ id: string }>('projects_create', project);
    const sent = [
      { path: 'a.ts', content: 'const quoted = "\u2028";\n', commit_sha: 'abc1234' },
      { path: 'long.md', content: '"'.repeat(900_000) },
    ];
    await call('files_ingest', { project_id: old, files: sent });
    const content = `It says "project_id":"${old}".`;
    const fact = { workspace_id: from, project_id: old, node_type: 'fact', title: 'F', content };
    await call('memory_create_node', fact);
    const out = join(files.path, 'all.ndjson');
    assert.equal((await runCommand(['export', from, '--out', out, '--url', url])).code, 0);

    const restoring = ['import', out, '--workspace', to, '--url', url];
    const first = await runCommand(restoring);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^1 project, of which 1 new, 2 files restored\.\n/);
    const inCopy = { workspace_id: to };
    const projects = await call<{ items: Array<{ id: string; name: string; description: string }> }>(
      'projects_list',
      inCopy,
    );
    const [{ id: made, ...named } = { id: '', name: '', description: '' }] = projects.items;
    assert.deepEqual([named.name, named.description, made === old], ['P', 'D', false]);
    for (const { path, content: text } of sent) {
      const read = await call<{ content: string }>('files_read', { project_id: made, path });
      assert.equal(read.content, text);
    }
    const nodes = await call<{ items: Array<{ project_id: string; content: string }> }>(
      'memory_list_nodes',
      inCopy,
    );
    assert.deepEqual(
      nodes.items.map((node) => [node.project_id, node.content]),
      [[made, content]],
    );
    const again = await runCommand([...restoring, '--json']);
    const { restored, imported } = JSON.parse(again.stdout) as Imported & { restored: object };
    assert.equal(imported, 0);
    assert.deepEqual(restored, {
      projects: 1,
      projects_created: 0,
      files: 2,
      files_sent: 0,
      files_unchanged: 2,
      files_kept: 0,
      files_rejected: [],
    });

    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    const memory = lines.filter((line) => !line.startsWith('{"record":"node"'));
    await files.write('cut.ndjson', `${memory.slice(0, -1).join('\n')}\n`);
    const cut = ['import', join(files.path, 'cut.ndjson'), '--workspace', to, '--url', url];
    const { code, stderr } = await runCommand(cut);
    assert.equal(code, 1);
    assert.match(stderr, /The export was cut off/);
    const inside = lines.slice(0, lines.findIndex((line) => line.startsWith('{"record":"file"')) + 1);
    await files.write('cut.ndjson', inside.join('\n').slice(0, -20));
    const half = await runCommand(cut);
    assert.equal(half.code, 1);
    assert.match(half.stderr, /line \d+: it is not a whole file record[^]*The export was cut off/);
  });

  it('leaves files that are there as they are, and restores the others of an import that was stopped', async () => {
    const lines = [
      { record: 'project', id: 'p', name: 'P' },
      { record: 'file', project_id: 'p', path: 'same.md', content: 'same' },
      { record: 'file', project_id: 'p', path: 'edited.md', content: 'old' },
      { record: 'file', project_id: 'p', path: 'missing.md', content: 'restored' },
      { record: 'end', records: 4 },
    ];
    await files.write('old.ndjson', lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const workspace = await newWorkspace('newer');
    const call = async (name: string, input: object) =>
      JSON.parse((await runCommand(['call', '--url', url, name, JSON.stringify(input)])).stdout) as {
        id: string;
        content: string;
      };
    const { id: project_id } = await call('projects_create', { workspace_id: workspace, name: 'P' });
    const newer = [
      { path: 'same.md', content: 'same' },
      { path: 'edited.md', content: 'new' },
    ];
    await call('files_ingest', { project_id, files: newer });
    const command = ['import', join(files.path, 'old.ndjson'), '--workspace', workspace, '--url', url];
    const { code, stdout, stderr } = await runCommand(command);
    assert.equal(code, 0, stderr);
    const [summary] = stdout.split('\n');
    assert.equal(
      summary,
      '1 project, of which 0 new, 1 file restored, 2 were there already, 1 with another text, which stays.',
    );
    const read = async (path: string) => (await call('files_read', { project_id, path })).content;
    assert.deepEqual(
      [await read('same.md'), await read('edited.md'), await read('missing.md')],
      ['same', 'new', 'restored'],
    );
    const again = JSON.parse((await runCommand([...command, '--json'])).stdout) as { restored: object };
    assert.deepEqual(again.restored, {
      projects: 1,
      projects_created: 0,
      files: 3,
      files_sent: 0,
      files_unchanged: 2,
      files_kept: 1,
      files_rejected: [],
    });
  });

  it('never restores two projects into one: that of the id of one may have the name of another by now', async () => {
    const workspace = await newWorkspace('renamed');
    const call = async <T>(name: string, input: object) =>
      JSON.parse((await runCommand(['call', '--url', url, name, JSON.stringify(input)])).stdout) as T;
    const made = await call<{ id: string }>('projects_create', { workspace_id: workspace, name: 'new' });
    const projects = [
      { record: 'project', id: 'gone', name: 'new' },
      { record: 'project', id: made.id, name: 'old' },
    ];
    const texts = projects.map(({ id, name }) => ({
      record: 'file',
      project_id: id,
      path: 'a',
      content: name,
    }));
    const imported = async (...records: readonly object[]) => {
      const lines = [...records, { record: 'end', records: records.length }];
      await files.write('renamed.ndjson', lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
      return runCommand([
        'import',
        join(files.path, 'renamed.ndjson'),
        '--workspace',
        workspace,
        '--url',
        url,
      ]);
    };
    for (const each of [projects, projects.toReversed()]) {
      const { code, stderr } = await imported(...each, ...texts);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /go to project "new" of the workspace: "old" by its id, and "new" by its name\. Nothing was imported\./,
      );
      assert.ok(stderr.includes(`projects_update --project-id ${made.id} --name `), stderr);
    }
    await call('projects_update', { project_id: made.id, name: 'old' });
    const { code, stdout, stderr } = await imported(...projects, ...texts);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^2 projects, of which 1 new, 2 files restored\./);
    const file = { project_id: made.id, path: 'a' };
    assert.equal((await call<{ content: string }>('files_read', file)).content, 'old');
  });

  it('names what failed, and exits 1', async () => {
    const workspace = await newWorkspace('faults');
    await files.write('faults.jsonl', `${entity('A')}\nnonsense\n${relation}\n`);
    const args = ['import', join(files.path, 'faults.jsonl'), '--workspace', workspace, '--url', url];
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(code, 1);
    assert.match(stdout, /1 record imported \(mcp-memory\), 2 records failed\./);
    assert.match(stderr, /line 2: the line is not valid JSON/);
    assert.match(stderr, /line 3: target_node_id: "B" is not a node of the workspace/);
  });

  it('says what is wrong with a file, a workspace or a service', async () => {
    await files.write('unknown.txt', 'hello\n');
    const refused = async (args: string[], message: RegExp, exit = 1) => {
      const { code, stdout, stderr } = await runCommand(['import', ...args]);
      assert.deepEqual([code, stdout], [exit, ''], stderr);
      assert.match(stderr, message);
    };
    await refused(
      [join(files.path, 'nothing'), '--url', url],
      /cannot be read \(no such file or folder, ENOENT\)/,
    );
    await refused(
      [join(files.path, 'unknown.txt'), '--url', url],
      /format of the file is not known[^]*--format/,
    );
    await files.write('none.md', '');
    await refused([join(files.path, 'none.md'), '--url', url], /none\.md is empty/);
    await refused([files.path, '--format', 'mem0', '--url', url], /folder is read as basic-memory/);
    await files.write('one.jsonl', `${entity('A')}\n`);
    await refused(
      [join(files.path, 'one.jsonl'), '--url', url],
      /There are \d+ workspaces:[^]*--workspace ID/,
    );
    const none = '01890000-0000-7000-8000-000000000000';
    await refused([join(files.path, 'one.jsonl'), '--workspace', none, '--url', url], /error NOT_FOUND/);
    await refused([join(files.path, 'one.jsonl'), '--url', 'http://127.0.0.1:1'], /cannot be reached/, 2);
  });

  it('an export that is cut off is a failure, and leaves the earlier file', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/api/v1/health') return response.end('{"server":"service-mcp"}');
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const whole = request.url?.includes('whole');
      response.write('{"record":"event","id":"1"}\n', () => (whole ? response.end() : response.destroy()));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const target = await folderWith({ 'memory.ndjson': 'earlier' });
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const workspace of ['whole', 'cut']) {
        const out = join(target.path, 'memory.ndjson');
        const args = ['export', '--workspace', workspace, '--memory', '--out', out, '--url', address];
        const { code, stderr } = await runCommand(args);
        assert.equal(code, 1, stderr);
        assert.match(stderr, /cut off before its last line/);
        assert.deepEqual(await readdir(target.path), ['memory.ndjson']);
        assert.equal(await readFile(out, 'utf8'), 'earlier');
      }
      await target.remove();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('leaves other records out whatever pieces the file comes in, and keeps the numbers of lines', async () => {
    const text =
      '{"record":"file","content":"a\\u2028"}\n{"record":"event"}\n\n{"record":"workspace"}\n{"other":1}\n{"record":"end"}';
    for (const size of [1, 3, 7, 64, 1000]) {
      const whole = Buffer.from(text);
      async function* pieces() {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
      }
      let others = 0;
      const kept: Uint8Array[] = [];
      for await (const piece of withoutOthers(pieces(), () => (others += 1))) kept.push(piece);
      const lines = Buffer.concat(kept).toString().split('\n');
      assert.deepEqual(lines, ['', '{"record":"event"}', '', '', '{"other":1}', '{"record":"end"}']);
      assert.equal(others, 2);
    }
  });
});
