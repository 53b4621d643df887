import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolEntry } from '@service-mcp/core/wire';
import type { Result } from '#cli/connection/connection.js';
import type { Finding } from '#cli/commands/doctor.js';
import type { IngestSummary } from '#cli/ingest/summary.js';
import { ended, runBinary, runCommand, startCommand, told, type CommandOutcome } from '../support/command.js';
import { folderWith } from '../support/folder.js';

type Folder = Awaited<ReturnType<typeof folderWith>>;

const TREE = {
  'src/lantern.ts': 'export function lightLantern(oil: number): boolean {\n  return oil > 0;\n}\n',
  'src/harbor.py': 'def enter_harbor(ship):\n    return ship.name\n',
  'README.md': '# Lighthouse\n\nHow the keeper trims the wick.\n',
  'logo.bin': Uint8Array.of(0, 1, 2),
  '.gitignore': 'dist/\n',
  'dist/out.js': 'x',
};

describe('the command line and the real service', () => {
  let folder: Folder;
  let data: Folder;

  beforeEach(async () => {
    folder = await folderWith(TREE);
    data = await folderWith();
  });
  afterEach(async () => {
    await folder.remove();
    await data.remove();
  });

  async function json<T>(args: readonly string[], cwd = folder.path, run = runCommand): Promise<T> {
    const [command = '', ...rest] = args;
    const outcome = await run([command, '--json', ...rest], { cwd });
    assert.equal(outcome.code, 0, outcome.stderr);
    return JSON.parse(outcome.stdout) as T;
  }

  it('ingests and searches with no server, from one process to the next', async () => {
    const here = ['--data', data.path];
    const first = await json<IngestSummary>(['ingest', '.', ...here], folder.path, runBinary);
    assert.deepEqual([first.scanned, first.sent, first.skipped.binary, first.folders_left_out], [5, 4, 1, 1]);
    assert.deepEqual([first.index.indexed, first.index.pending, first.index.failed], [4, 0, 0]);

    for (const [mode, query] of [
      ['hybrid', 'light lantern'],
      ['keyword', 'lightLantern'],
      ['pattern', 'light\\w+\\('],
    ] as const) {
      const found = await json<Result<'search_hybrid'>>(
        ['search', query, '--mode', mode, ...here],
        join(folder.path, 'src'),
      );
      assert.equal(found.results[0]?.path, 'src/lantern.ts', mode);
    }
    const shown = await runCommand(['search', 'light\\w+', '-m', 'pattern', ...here], { cwd: folder.path });
    assert.match(shown.stdout, /^src\/lantern\.ts:1/);
    assert.match(shown.stdout, /1│ export function lightLantern/);
    const counted = ['search', 'light\\w+', '-m', 'pattern', '--facets', 'languages,kinds', ...here];
    const facets = await runCommand(counted, { cwd: folder.path });
    assert.match(facets.stdout, /\nlanguages\n {2}1 {2}typescript\n\nkinds\n {2}1 {2}code\n$/);
    const wrong = await runCommand(['search', 'x', '--facets', 'owners', ...here], { cwd: folder.path });
    assert.match(wrong.stderr, /Use some of languages, kinds/);

    for (const [filter, advice] of [
      [['--language', 'typoscript'], /typoscript\. Without it: .*Did you mean --language typescript\?/s],
      [['--language', 'cobol'], /Languages: .*typescript \(1\)/],
      [['--path-prefix', 'nosuch'], /Folders: .*src \(1\)/],
    ] as const) {
      const filtered = await runCommand(['search', 'lantern', '-m', 'keyword', ...filter, ...here], {
        cwd: folder.path,
      });
      assert.deepEqual([filtered.code, filtered.stdout], [0, '']);
      assert.match(filtered.stderr, advice);
    }

    const project = first.project_id;
    const read = await json<{ content: string }>([
      'call',
      ...here,
      'files_read',
      '--project-id',
      project,
      '--path',
      'README.md',
    ]);
    assert.equal(read.content, TREE['README.md']);
    const piped = await runCommand(['call', ...here, 'help', '-'], { input: '{"action":"version"}' });
    assert.match(JSON.parse(piped.stdout).version, /^\d/);
    const text = await runCommand(['call', '--text', ...here, 'search_keyword', '--query', 'harbor']);
    assert.match(text.stdout, /^(?!\{).*src\/harbor\.py/s);

    await rm(join(folder.path, 'src', 'harbor.py'));
    await folder.write('README.md', '# Changed\n');
    const second = await json<IngestSummary>(['ingest', '.', '--delete-missing', ...here]);
    assert.deepEqual([second.sent, second.unchanged, second.removed], [1, 2, 1]);
    assert.equal(second.project_id, project);

    const nothing = await runCommand(['search', 'zyzzyva', '-m', 'keyword', ...here], { cwd: folder.path });
    assert.equal(nothing.code, 0);
    assert.match(nothing.stderr, /Nothing matches/);
  });

  it('names the workspaces and the flag where several are meant', async () => {
    const here = ['--data', data.path];
    await json(['migrate', ...here]);
    const none = await runCommand(['search', 'x', ...here], { cwd: folder.path });
    assert.match(none.stderr, /No service at .*: working|Working in this process/);
    const ids: string[] = [];
    for (const name of ['One', 'Two']) {
      ids.push((await json<{ id: string }>(['call', ...here, 'workspaces_create', '--name', name])).id);
    }
    for (const [flag, args] of [
      ['--workspace', ['search', 'x', ...here]],
      ['--workspace-id', ['call', ...here, 'search_keyword', '--query', 'x']],
    ] as const) {
      const { code, stderr } = await runCommand(args, { cwd: folder.path });
      assert.equal(code, 1);
      for (const id of ids) assert.match(stderr, new RegExp(`^ {2}${id} {2}(One|Two)$`, 'm'));
      assert.match(stderr, new RegExp(`→ Choose one with ${flag} ID\\.`));
    }
    const quiet = await runCommand(['search', 'x', '--json', ...here], { cwd: folder.path });
    assert.equal(JSON.parse(quiet.stderr).error.code, 'INVALID_ARGUMENT');
    const found = await runCommand(['search', 'x', '--json', '--workspace', ids[0] ?? '', ...here]);
    assert.deepEqual([found.code, found.stderr], [0, '']);
  });

  it('serves, is used by address, refuses a taken port, and stops cleanly', async () => {
    const child = startCommand(['serve', '--port', '0', '--data', data.path, '--json']);
    const outcome = ended(child);
    try {
      const { url } = JSON.parse(await told(child, '\n}\n')) as { url: string };
      const first = await json<IngestSummary>(['ingest', '.', '--url', url]);
      assert.equal(first.sent, 4);
      // The address is kept in the folder, so later commands need none.
      const found = await json<Result<'search_hybrid'>>(['search', 'lantern', '--mode', 'keyword']);
      assert.equal(found.results[0]?.path, 'src/lantern.ts');
      const tools = await json<ToolEntry[]>(['tools', '--url', url]);
      const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
      assert.deepEqual(
        [hints['files_read']?.readOnlyHint, hints['files_delete']?.destructiveHint],
        [true, true],
      );
      const listed = await runCommand(['tools', '--url', url]);
      for (const line of [/^files_read +read /m, /^projects_create +create /m, /^files_delete +write /m])
        assert.match(listed.stdout, line);
      const bad = await runCommand(['call', '--url', url, 'projects_get', '--project-id', 'x']);
      assert.equal(bad.code, 1);
      assert.match(bad.stderr, /INVALID_ARGUMENT .*\n→ .*service-mcp tools --url \S+ projects_get/);
      const taken = await runCommand(['serve', '--port', new URL(url).port, '--data', data.path]);
      assert.equal(taken.code, 1);
      assert.match(taken.stderr, /another process listens there/);
    } finally {
      child.kill('SIGTERM');
    }
    assert.equal((await outcome).code, 0);
  });

  it('migrates and checks itself', async () => {
    const here = ['--data', data.path];
    assert.ok((await json<{ applied: string[] }>(['migrate', ...here])).applied.length > 0);
    assert.deepEqual(await json(['migrate', ...here]), { applied: [] });
    const invited = await runCommand(['accounts', 'invite', 'bob@example.org', ...here]);
    assert.match(invited.stdout, /^http:\/\/\S+\/oauth\/register\?invitation=svc_in_\S+\n$/);
    const refused = await runCommand(['accounts', 'invite', 'bob@example.org', ...here], {
      env: { SERVICE_AUTH_REGISTRATION: 'closed' },
    });
    assert.match(refused.stderr, /Registration is closed.*\n→ Run: .*accounts create bob@example\.org/);
    const { ok, checks } = await json<{ ok: boolean; checks: Finding[] }>(['doctor', ...here]);
    assert.equal(ok, true);
    const names = new Set(checks.map(({ name }) => name));
    for (const name of ['Node.js', 'configuration', 'data folder', 'database', 'migrations', 'service']) {
      assert.ok(names.has(name), name);
    }
  });

  it('creates no database where none is, except to fill it', async () => {
    const lost = await mkdtemp(join(tmpdir(), 'service-mcp-'));
    try {
      const here = ['--data', lost];
      for (const args of [
        ['doctor', ...here],
        ['accounts', 'list', ...here],
        ['tools', ...here],
        ['search', 'x', ...here],
        ['call', ...here, 'help'],
      ]) {
        const outcome = await runCommand(args);
        assert.equal(outcome.code, 1, args.join(' '));
        const text = `${outcome.stdout}${outcome.stderr}`.replaceAll(/\s+/g, ' ');
        assert.ok(text.includes(`There is no database in ${lost}.`), text);
        assert.match(text, /service-mcp migrate --data/);
        assert.deepEqual(await readdir(lost), [], args.join(' '));
      }
      const made = await runCommand(['ingest', lost, '--data', join(lost, 'data'), '--json']);
      assert.equal(made.code, 0);
      assert.match(made.stderr, /Made a new embedded database/);
    } finally {
      await rm(lost, { recursive: true });
    }
  });

  it('says that a database is gone, and makes no empty one in its place', async () => {
    const lost = await mkdtemp(join(tmpdir(), 'service-mcp-'));
    try {
      await mkdir(join(lost, 'lancedb'));
      for (const command of ['doctor', 'serve --port 0', 'worker', 'migrate', `ingest ${lost}`]) {
        const { code, stdout, stderr } = await runBinary([...command.split(' '), '--data', lost]);
        assert.equal(code, 1, command);
        assert.match(
          stdout + stderr,
          /service\.db is missing, and the folder holds the indexes of a database/,
        );
        assert.match(stdout + stderr, /set DATABASE_URL/);
      }
      assert.deepEqual(await readdir(lost), ['lancedb']);
    } finally {
      await rm(lost, { recursive: true });
    }
  });

  it('speaks MCP over stdio until the client closes it', async () => {
    const child = startCommand(['stdio', '--data', data.path]);
    const outcome = ended(child);
    await talk(child);
    child.stdin?.end();
    const { code, stdout } = (await outcome) satisfies CommandOutcome;
    assert.equal(code, 0);
    const replies = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: Record<string, Record<string, string>> });
    assert.equal(replies[0]?.result['serverInfo']?.['name'], 'service-mcp');
    assert.match(replies[1]?.result['structuredContent']?.['version'] ?? '', /^\d/);
  });

  it('lists over stdio what a client of the service gets that selects nothing', async () => {
    const listed = async (env: Record<string, string>) => {
      const clientInfo = { name: 't', version: '1' };
      const lines = [
        {
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
        },
        { id: 2, method: 'tools/list', params: {} },
      ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const { stdout } = await runCommand(['stdio', '--data', data.path], { input: lines.join(''), env });
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: number; result: { tools: { name: string }[] } });
      return names(answers.find(({ id }) => id === 2)?.result.tools ?? []);
    };
    const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name).sort();
    await json(['migrate', '--data', data.path]);
    const standard = await json<ToolEntry[]>(['tools', '--toolset', 'standard', '--data', data.path]);
    const chosen = new Set(names(standard));
    const all = await listed({ SERVICE_TOOLSETS_DEFAULT: 'complete' });
    const byDefault = await listed({});
    assert.ok(byDefault.length < all.length, `${byDefault.length} of ${all.length}`);
    assert.deepEqual(
      byDefault,
      all.filter((name) => chosen.has(name)),
    );
  });

  it('answers all messages piped to stdio at once', async () => {
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      { id: 2, method: 'tools/call', params: { name: 'help', arguments: { action: 'version' } } },
    ];
    const lines = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));
    const { code, stdout } = await runCommand(['stdio', '--data', data.path], {
      input: `${lines.join('\n')}\n`,
    });
    assert.equal(code, 0);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    assert.deepEqual(ids, [1, 2]);
  });

  async function talk(child: ChildProcess): Promise<void> {
    const send = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    await told(child, '"id":1');
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'help', arguments: { action: 'version' } } });
    await told(child, '"id":2');
  }
});
