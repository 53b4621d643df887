import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BINARY } from '#cli/deployment.js';
import { ended, runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';
import { FaultyService } from './support/service.js';

describe('errors of use', () => {
  let folder: Awaited<ReturnType<typeof folderWith>>;
  before(async () => {
    folder = await folderWith();
  });
  after(() => folder.remove());
  const run = (...args: string[]) => runCommand(args, { cwd: folder.path });

  it('are JSON with --json', async () => {
    for (const [args, message, next] of [
      [
        ['search', 'x', '--limt', '3', '--json'],
        /unknown option '--limt'/,
        /mean --limit\? Run .* search --help to/,
      ],
      [['tools', '--json', '--url'], /argument missing/, /Run .* tools --help/],
      [['ingest', '--json'], /missing required argument 'dir'/, /help/],
      [['ingest', '', '--json'], /Name the folder: \. is the current one/, /help/],
      [['keys', 'creat', '--json'], /unknown command 'creat'/, /Did you mean create\?/],
      [['status', '--json'], /unknown command 'status'/, /Did you mean doctor\?/],
      [['setup', 'emacs', '--json'], /Allowed choices are claude/, /help/],
      [['keys', '--json'], /unknown option/, /help/],
      [['setup', 'claude', '--data', '', '--json'], /argument '' is invalid\. Name it/, /help/],
      [['search', '  ', '--json'], /The query is empty/, /search "/],
    ] as const) {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      const { error } = JSON.parse(stderr) as { error: { message: string; next: string } };
      assert.match(error.message, message);
      assert.match(error.next, next);
    }
  });

  it('of a service that does not answer name the command that starts it at that address', async () => {
    const deployment = join(folder.path, 'deployment.json');
    await writeFile(deployment, '{"plugins":[],"transports":[],"server":{"port":1}}');
    for (const [args, hint] of [
      [['tools', '--url', 'http://127.0.0.1:1'], /Start it with: .* serve --port 1 {3}\(or give another/],
      [['tools', '--url', 'http://[::1]:1'], /Start it with: .* serve --host ::1 --port 1 {3}\(/],
      [
        ['tools', '--url', 'https://127.0.0.1:1'],
        /→ Check the address, and that the service runs there {3}\(/,
      ],
      [['doctor', '--config', deployment], /Start it with: .* serve --config \S*deployment\.json \(ingest/],
    ] as const) {
      const { stdout, stderr } = await run(...args);
      assert.match(`${stdout}${stderr}`.replaceAll(/\s*\n\s+/g, ' '), hint, args.join(' '));
    }
  });

  it('of a tool name each wrong argument once, and where the address goes that stands after its name', async () => {
    const deployment = join(folder.path, 'deployment.json');
    await writeFile(deployment, '{"plugins":["@service-mcp/plugin-help"],"transports":[]}');
    const here = ['--config', deployment, '--data', join(folder.path, 'data')];
    assert.equal((await run('migrate', ...here)).code, 0);
    const { code, stderr } = await run('call', ...here, 'tickets_list', '--url', 'http://127.0.0.1:1');
    assert.equal(code, 1);
    assert.match(stderr, /no tool "tickets_list" here/);
    assert.match(stderr, /Write: \S*service-mcp call --url … tickets_list …/);
    const wrong = await run('call', ...here, 'help', '{"action": 1, "topic": 2}');
    assert.match(
      wrong.stderr,
      /^error INVALID_ARGUMENT Some arguments are wrong:\n {2}\/topic is not .*\n {2}\/action must be /m,
    );
  });

  it('of a data folder that cannot be are told at once, by every command that opens one', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, 'x');
    const places: [string, RegExp][] = [
      [file, /it is not a folder, EEXIST.*Move that file away/],
      [join(file, 'below'), /a part of the path is not a folder, ENOTDIR/],
      ['/proc/service-mcp', /ENOENT|EACCES|EPERM/],
    ];
    for (const [place, reason] of places.slice(0, process.platform === 'linux' ? 3 : 2)) {
      for (const command of ['serve', 'migrate', 'doctor']) {
        const { code, stdout, stderr } = await run(command, '--data', place);
        assert.equal(code, 1, `${command} ${place}`);
        const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
        if (command === 'doctor' && place.startsWith('/proc')) assert.match(text, /There is no database in/);
        else {
          assert.ok(text.includes(`data folder ${place}: it cannot be used (`), text);
          assert.match(text, reason);
          assert.match(text, /choose another with --data or SERVICE_DATA_DIR/);
        }
      }
    }
  });

  it('of JSON name line and column', async () => {
    const file = join(folder.path, 'deployment.json');
    await writeFile(file, '{\n  "plugins": [],\n  "transports": ["a",]\n}\n');
    const { stderr } = await run('serve', '--config', file);
    assert.match(
      stderr,
      /deployment\.json: it is not JSON: line 3, column 22: value expected\n→ Fix the file\./,
    );
    await writeFile(file, '\ufeff{\n  "plugins": 7\n}\n');
    const marked = await run('serve', '--config', file);
    assert.doesNotMatch(marked.stderr, /not JSON/, 'a byte order mark is not a fault');
    const call = await run('call', 'help', '{"action":\n}');
    assert.match(call.stderr, /not valid JSON: line 2, column 1: value expected\./);
  });

  const write = async (name: string, plugins: readonly string[]) => {
    const file = join(folder.path, name);
    await writeFile(file, JSON.stringify({ plugins, transports: [], server: { port: 1 } }));
    return file;
  };

  it('do not hide a plugin that was taken out: doctor names it', async () => {
    const before = await write('before.json', ['@service-mcp/plugin-workspaces']);
    const after = await write('after.json', []);
    const data = join(folder.path, 'former');
    assert.equal((await run('migrate', '--config', before, '--data', data)).code, 0);
    const { stdout } = await run('doctor', '--config', after, '--data', data, '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
    const found = checks.find(({ name }) => name === 'former plugin');
    assert.equal(found?.status, 'ok', stdout);
    assert.match(found.message, /^workspaces is not enabled/);
  });

  it('of a database of an earlier version are warnings: doctor leaves it as it is', async () => {
    const earlier = await write('earlier.json', []);
    const later = await write('later.json', ['@service-mcp/plugin-workspaces']);
    const here = ['--config', later, '--data', join(folder.path, 'earlier')];
    assert.equal((await run('migrate', '--config', earlier, ...here.slice(2))).code, 0);
    for (const command of [['doctor'], ['doctor', '--repair']]) {
      const { stdout } = await run(...command, ...here, '--json');
      const { checks } = JSON.parse(stdout) as {
        checks: { name: string; status: string; message: string }[];
      };
      const { status, message = '' } = checks.find(({ name }) => name === 'migrations') ?? {};
      assert.equal(status, command.length === 1 ? 'warn' : 'ok', stdout);
      assert.match(message, command.length === 1 ? /not applied yet \(workspaces\/001/ : /applied now/);
    }
  });

  it('of a data folder of PostgreSQL say so, also beside an embedded database of before', async () => {
    const data = join(folder.path, 'on-postgresql');
    const here = ['--config', await write('small.json', []), '--data', data];
    assert.equal((await run('migrate', ...here)).code, 0);
    await writeFile(join(data, 'on-postgresql'), '');
    for (const command of ['serve', 'migrate', 'doctor', 'tools']) {
      const { code, stdout, stderr } = await run(command, ...here);
      const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
      assert.equal(code, 1, text);
      assert.match(text, /is the data folder of a deployment on PostgreSQL\. .*Set DATABASE_URL/, command);
    }
  });

  it('of the environment are warnings with a suggestion', async () => {
    const env = {
      SERVICE_READONLY: 'true',
      SERVICE_MCP_PORT: 'tcp://10.0.0.1:80',
      SERVICE_NOSUCH_THING_AT_ALL: '1',
    };
    const { stdout } = await runCommand(['doctor', '--data', join(folder.path, 'data'), '--json'], { env });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string; remedy?: string }[] };
    const warnings = checks.filter(({ name }) => name === 'environment');
    assert.deepEqual(
      warnings.map(({ message, remedy }) => [message.split(' ')[0], remedy]),
      [
        ['SERVICE_READONLY', 'Did you mean "SERVICE_READ_ONLY"?'],
        ['SERVICE_NOSUCH_THING_AT_ALL', 'Unset it, or enable the plugin that reads it.'],
      ],
    );
  });

  it('of a full disk behind standard output are one line', async function () {
    if (process.platform !== 'linux') return this.skip(); // needs /dev/full
    const full = openSync('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [BINARY, '--help'], { stdio: ['ignore', full, 'pipe'] });
      const { code, stderr } = await ended(child);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^error The standard output cannot be written \(the disk is full, ENOSPC\)\. .*\n$/,
      );
    } finally {
      closeSync(full);
    }
  });

  it('of a server control no terminal', async () => {
    const service = new FaultyService();
    const message = '\u001b[2Jcleared\u0007\nand more';
    service.faultOf = () => ({ status: 400, code: 'INVALID_ARGUMENT', message });
    try {
      const { stderr } = await run('search', 'x', '--url', await service.start());
      assert.match(stderr, /^error INVALID_ARGUMENT �\[2Jcleared�\nand more$/m);
    } finally {
      await service.stop();
    }
  });

  it('of a full disk behind standard error end no command', async function () {
    if (process.platform !== 'linux') return this.skip(); // needs /dev/full
    const full = openSync('/dev/full', 'w');
    try {
      const program = `
        import { watchOutput } from ${JSON.stringify(import.meta.resolve('#cli/terminal/terminal.js'))};
        watchOutput();
        process.stderr.write('lost', () => setImmediate(() => console.log('still here')));`;
      const args = ['--conditions=unbundled', '--input-type=module', '--eval', program];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', full] });
      const { code, stdout } = await ended(child);
      assert.deepEqual([code, stdout], [0, 'still here\n']);
    } finally {
      closeSync(full);
    }
  });

  it('of the system are in words', async () => {
    const { stderr } = await run(
      'codegen',
      '--out',
      join(folder.path, 'no/such/client.ts'),
      '--url',
      'http://127.0.0.1:1',
    );
    assert.match(stderr, /nothing listens at its port|cannot be reached/);
    if (process.getuid?.() === 0) return; // root may read everything
    const closed = join(folder.path, 'closed.json');
    await writeFile(closed, '{}');
    await chmod(closed, 0);
    assert.match((await run('import', closed)).stderr, /permission denied, EACCES/);
  });

  it('of a clone that is not built say what to run', async () => {
    const clone = join(folder.path, 'clone');
    await mkdir(join(clone, 'bin'), { recursive: true });
    await cp(BINARY, join(clone, 'bin/service-mcp.js'));
    await cp(join(dirname(BINARY), '../package.json'), join(clone, 'package.json'));
    const started = spawn(process.execPath, [join(clone, 'bin/service-mcp.js'), 'serve'], { env: {} });
    assert.deepEqual(await ended(started), {
      code: 1,
      stdout: '',
      stderr: 'error This clone of service-mcp is not built.\n→ In its folder run: npm ci && npm run build\n',
    });
  });
});
