import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ended, runCommand, startCommand, told, type RunOptions } from '../support/command.js';
import { folderWith } from '../support/folder.js';

const LOCAL = fileURLToPath(new URL('../../../../../deploy/local.json', import.meta.url));

interface Ready {
  url: string;
  credentials: string | null;
  make_key?: string;
  stale?: string;
  first_run?: { email: string; password_link: string; unkept?: string };
}

describe('accounts and keys on the command line', () => {
  let home: Awaited<ReturnType<typeof folderWith>>;
  const running: ChildProcess[] = [];
  beforeEach(async () => {
    home = await folderWith({ 'tree/lantern.txt': 'the keeper trims the lantern\n' });
  });
  afterEach(async () => {
    for (const child of running.splice(0)) await stop(child);
    await home.remove();
  });

  const config = () => join(home.path, 'config');
  const file = () => join(config(), 'service-mcp', 'credentials.json');
  const data = (name = 'data') => ['--data', join(home.path, name)];
  const run = (args: readonly string[], options: RunOptions = {}) =>
    runCommand(args, {
      cwd: join(home.path, 'tree'),
      ...options,
      env: { XDG_CONFIG_HOME: config(), XDG_DATA_HOME: join(home.path, 'share'), ...options.env },
    });
  const kept = async () => JSON.parse(await readFile(file(), 'utf8')) as Record<string, { key: string }>;

  async function serve(
    name = 'data',
    more: readonly string[] = ['--port', '0'],
  ): Promise<Ready & { text: string }> {
    const child = startCommand(['serve', '--json', ...more, ...data(name)], {
      // A second process for the indexing of one file would cost more than all that is asked of the service.
      env: { XDG_CONFIG_HOME: config(), SERVICE_WORKERS: 'inside' },
    });
    running.push(child);
    let errors = '';
    child.stderr?.on('data', (part: Buffer) => (errors += part.toString('utf8')));
    const printed = await told(child, '\n}\n');
    return { ...(JSON.parse(printed) as Ready), text: errors + printed };
  }
  async function stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = ended(child);
    child.kill('SIGTERM');
    await end;
  }

  it('makes a key at first run that ingest and search find, and none at the second', async () => {
    const first = await serve();
    assert.equal(first.credentials, file());
    assert.equal(first.first_run?.email, 'owner@localhost');
    assert.match(first.first_run?.password_link ?? '', new RegExp(`^${first.url}/oauth/password\\?token=`));
    const { key = '' } = (await kept())[first.url] ?? {};
    assert.match(key, /^svc_live_/);
    assert.ok(!first.text.includes(key.slice(9)), 'the key is not printed');
    assert.deepEqual(
      [(await stat(file())).mode & 0o777, (await stat(join(config(), 'service-mcp'))).mode & 0o777],
      [0o600, 0o700],
    );

    const { port } = new URL(first.url);
    for (const url of [first.url, `http://localhost:${port}`]) {
      const sent = await run(['ingest', '.', '--url', url, '--json']);
      assert.equal(sent.code, 0, sent.stderr);
      const found = await run(['search', 'lantern', '-m', 'keyword', '--json', '--url', url]);
      assert.equal(JSON.parse(found.stdout).results[0]?.path, 'lantern.txt');
    }
    const elsewhere = await run(['search', 'lantern', '--url', first.url], {
      env: { XDG_CONFIG_HOME: join(home.path, 'empty') },
    });
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /UNAUTHENTICATED/);
    assert.match(
      elsewhere.stderr,
      /SERVICE_API_KEY, SERVICE_API_KEY_FILE, \.mcp\.json here and up, or .*empty.*keys create cli --save --account --url/,
    );
    const client = {
      mcpServers: { service: { url: `${first.url}/mcp`, headers: { 'X-Service-API-Key': '${MY_KEY}' } } },
    };
    await home.write('.mcp.json', JSON.stringify(client));
    const byClient = await run(['tools', '--json', '--url', first.url], {
      env: { XDG_CONFIG_HOME: join(home.path, 'empty'), MY_KEY: key },
    });
    assert.equal(byClient.code, 0, byClient.stderr);

    await stop(running.pop() as ChildProcess);
    const second = await serve('data', ['--port', port]);
    assert.deepEqual([second.credentials, second.first_run], [file(), undefined]);
    assert.equal((await kept())[first.url]?.key, key);
  });

  it('keeps an earlier key of the address and says so; replaces it when forced', async () => {
    const first = await serve('one');
    const before = await kept();
    await stop(running.pop() as ChildProcess);
    const { port } = new URL(first.url);
    const second = await serve('two', ['--port', port]);
    assert.deepEqual(await kept(), before);
    assert.equal(second.credentials, null);
    assert.match(second.first_run?.unkept ?? '', /left as it is/);
    const refused = await run(['search', 'x', '--url', second.url]);
    assert.match(refused.stderr, /UNAUTHENTICATED[^]*The key is from .*credentials\.json[^]*--replace/);
    const ill = await run(['doctor', '--url', second.url]);
    assert.match(ill.stdout, /warn +key +This API key is unknown here/);
    const apart = await run(['doctor', '--url', second.url, ...data('one')]);
    assert.match(apart.stdout, /warn +service database .* runs over another database/);
    await stop(running.pop() as ChildProcess);
    const third = await serve('two', ['--port', port]);
    assert.deepEqual(
      [third.credentials, third.first_run],
      [null, undefined],
      'an invalid key does not count as one',
    );
    assert.match(third.stale ?? '', /credentials\.json is not valid here/);
    const [, command = ''] = /service-mcp (keys create .*)$/.exec(third.make_key ?? '') ?? [];
    const made = await run(command.split(' '));
    assert.equal(made.code, 0, made.stderr);
    assert.notDeepEqual(await kept(), before);
    assert.equal((await run(['tools', '--json', '--url', second.url])).code, 0);
    const well = await run(['doctor', '--url', second.url]);
    assert.match(well.stdout, /ok +key +that of .*credentials\.json is valid/);
    assert.match(well.stdout, /warn +database +There is no database in .*\n/);
    const same = await run(['doctor', '--url', second.url, ...data('two')]);
    assert.equal(same.code, 0);
    assert.match(same.stdout, /All is well/);
    const placed = await run(['doctor', ...data('two')], { env: { SERVICE_PORT: port } });
    assert.match(placed.stdout, new RegExp(`ok +service +answers at ${second.url}\\n`), placed.stdout);
  });

  it('starts, and prints a remedy, when the key cannot be stored', async () => {
    await mkdir(join(config(), 'service-mcp'), { recursive: true });
    await writeFile(file(), '{"half');
    await chmod(file(), 0o600);
    const ready = await serve();
    assert.equal(ready.credentials, null);
    assert.match(ready.first_run?.unkept ?? '', /damaged.*delete it/);
    assert.equal(await readFile(file(), 'utf8'), '{"half', 'what is there is left alone');
  });

  it('keeps one key for each of several first runs at once', async () => {
    const all = await Promise.all(['a', 'b', 'c'].map((name) => serve(name)));
    const keys = await kept();
    assert.deepEqual(Object.keys(keys).sort(), all.map(({ url }) => url).sort());
    for (const { url } of all) assert.equal((await run(['tools', '--json', '--url', url])).code, 0);
  });

  it('makes one owner where two processes run for the first time on the same data', async () => {
    const both = await Promise.all([serve(), serve()]);
    assert.equal(both.filter(({ first_run }) => first_run).length, 1);
    const list = await run(['accounts', 'list', '--json', ...data()]);
    assert.equal(JSON.parse(list.stdout).length, 1);
  });

  it('needs no key and keeps none for a single owner', async () => {
    const ready = await serve('data', ['--port', '0', '--config', LOCAL]);
    assert.deepEqual([ready.credentials, ready.first_run], [undefined, undefined]);
    assert.equal((await run(['tools', '--json', '--url', ready.url])).code, 0);
    for (const args of [
      ['keys', 'list', '--url', ready.url],
      ['keys', 'create', 'x', '--account', '--config', LOCAL, ...data()],
      ['accounts', 'list', '--config', LOCAL, ...data()],
    ]) {
      const { code, stderr } = await run(args);
      assert.equal(code, 1);
      assert.match(stderr, /keeps no accounts and no keys[^]*plugin-auth/, args.join(' '));
    }
    await assert.rejects(stat(file()));
  });

  it('makes, lists and revokes keys over the service, each no wider than the one that is sent', async () => {
    const { url } = await serve();
    const at = ['--url', url];
    const made = await run(['keys', 'create', 'narrow', '--scope', 'search:read', '--expires', '30d', ...at]);
    const key = made.stdout.trim();
    assert.match(key, /^svc_live_\w+$/, 'standard output holds the key alone');
    assert.match(made.stderr, /Made the key narrow .*shown this once/);
    const narrow = await run(['keys', 'list', '--key-stdin', ...at], { input: `${key}\n` });
    const wider =
      /auth:read[^]*The key is from --key-stdin.*keys create NAME --scope search:read --scope auth:read /;
    assert.match(narrow.stderr, wider);
    for (const words of [['call'], ['tools']]) {
      const unlisted = await run([...words, '--key-stdin', ...at, 'auth_list_api_keys'], {
        input: `${key}\n`,
      });
      assert.match(unlisted.stderr, wider, words[0]);
      const unknown = await run([...words, '--key-stdin', ...at, 'auth_list'], { input: `${key}\n` });
      assert.match(unknown.stderr, /There is no tool "auth_list" here/, words[0]);
    }
    const listed = JSON.parse((await run(['keys', 'list', '--json', ...at])).stdout) as {
      id: string;
      name: string;
    }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['narrow', 'First run'],
    );
    const gone = await run(['keys', 'revoke', listed[0]?.id ?? '', ...at]);
    assert.match(gone.stdout, /^Revoked .*: it is refused from now on, and so is any key that it made\.\n$/);
    for (const [words, next] of [
      [['keys', 'revoke'], 'keys list'],
      [['invitations', 'decline'], 'invitations list'],
    ] as const)
      for (const id of ['narrow', '01990000-0000-7000-8000-000000000000']) {
        const { code, stderr } = await run([...words, id, ...at]);
        assert.deepEqual([code, /[a-z]_[a-z]/.test(stderr)], [1, false], stderr);
        assert.match(stderr, new RegExp(`You have no \\w+ ${id}\\.\\n→ Run: .* ${next} --url ${url}\\n$`));
      }
    const refused = await run(['tools', '--key-stdin', ...at], { input: key });
    assert.match(
      refused.stderr,
      /UNAUTHENTICATED[^]*from --key-stdin\. Make one and give it there: .*--account\n/,
    );
    assert.doesNotMatch((await run(['keys', 'list', ...at])).stdout, /narrow/);
    assert.match((await run(['keys', 'list', '--all', ...at])).stdout, /narrow.*revoked \d/);
    const kept = await run(['keys', 'create', 'x', '--save', ...at]);
    assert.match(kept.stderr, /already[^]*--replace/);
    const after = JSON.parse((await run(['keys', 'list', '--json', ...at])).stdout) as unknown[];
    assert.equal(after.length, 1, 'no key is made in vain');
    const saved = JSON.parse(
      (await run(['keys', 'create', 'x', '--save', '--replace', '--json', ...at])).stdout,
    ) as object;
    assert.ok(!('secret_key' in saved) && 'credentials' in saved);

    const elsewhere = ['--data', join(home.path, 'elsewhere')];
    assert.equal((await run(['migrate', ...elsewhere])).code, 0);
    await run(['accounts', 'create', 'eve@example.org', '--name', 'Eve', ...elsewhere]);
    const make = ['keys', 'create', 'y', '--save', '--replace', '--account', 'eve@example.org', '--url', url];
    const foreign = await run([...make, ...elsewhere]);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stderr, /uses another database[^]*--data DIR/);
    assert.equal((await run(['verify-key', '--url', url])).code, 0, 'the kept key is as it was');
  });

  it('keeps a key for the service that was started last over the database, and doctor looks for that one', async () => {
    const { url } = await serve();
    const make = ['keys', 'create', 'x', '--account', '--save', '--replace', '--json', ...data()];
    assert.equal((JSON.parse((await run(make)).stdout) as { address: string }).address, url);
    assert.match((await run(['doctor', ...data()])).stdout, new RegExp(`answers at ${url}[^]*is valid`));
    await stop(running[0] as ChildProcess);
    assert.match((await run(['doctor', ...data()])).stdout, new RegExp(`does not answer at ${url}\n`));
  });

  it('names the command that makes the first account of this very deployment', async () => {
    const env = { XDG_CONFIG_HOME: config(), SERVICE_BASE_URL: 'https://memory.example.org' };
    const child = startCommand(['serve', '--port', '0', ...data()], { env });
    running.push(child);
    const printed = await told(child, 'In another terminal');
    assert.match(printed, /set-up token[^]*accounts create EMAIL --administrator --data \S+\n/);
  });

  it('manages accounts on the database, with or without the service', async () => {
    const plugins = ['@service-mcp/plugin-auth', '@service-mcp/plugin-workspaces']; // starts sooner than with all
    await home.write(
      'slim.json',
      JSON.stringify({ plugins, transports: ['@service-mcp/transport-jsonrpc'] }),
    );
    const slim = ['--config', join(home.path, 'slim.json')];
    const here = [...slim, ...data()];
    const of = (name: string, ...more: string[]) => run(['accounts', name, ...more, ...here]);
    const keys = (...more: string[]) => run(['keys', ...more, ...here]);
    const tell = async (outcome: ReturnType<typeof run>, words: RegExp) => {
      const { stdout, stderr } = await outcome;
      assert.match(stdout + stderr, words);
    };
    for (const outcome of [await of('list'), await of('create', 'ann@example.org'), await keys('rotate')]) {
      assert.equal(outcome.code, 1);
      assert.match(outcome.stderr, /There is no database in .*\n.*service-mcp migrate --config .* --data /);
    }
    await assert.rejects(stat(join(home.path, 'data')), 'nothing is created');
    await tell(run(['migrate', ...here]), /Made a new embedded database/);
    const target = `--config ${slim[1]} --data ${data()[1]}\n`;
    const command = (words: string) => new RegExp(`service-mcp ${words} ${target.replaceAll('.', '\\.')}`);
    await tell(of('list'), command('accounts create EMAIL --administrator'));
    await tell(of('create', 'ann'), /email: must be an e-mail address, such as ann@example\.org/);
    const made = await of('create', 'Ann@Example.org', '--name', 'Ann', '--port', '9123');
    assert.match(made.stdout, /^http:\/\/127\.0\.0\.1:9123\/oauth\/password\?token=\S+\n$/, 'the link alone');
    assert.match(made.stderr, /Made ann@example\.org/);
    await Promise.all([
      tell(of('create', 'ann@example.org'), command('accounts reset ann@example\\.org')),
      tell(of('reset', 'eve@example.org'), command('accounts list')),
      tell(of('reset', 'ann@example.org'), /token=/),
      tell(of('administrator', 'ann@example.org'), /is now an administrator/),
      tell(keys('list', '--account', 'eve@example.org'), command('accounts list')),
      tell(
        keys('list', '--account', 'ann@example.org'),
        command('keys create NAME --account ann@example\\.org'),
      ),
      tell(keys('create', 'x', '--account'), /no account here[^]*--account ann@example\.org/),
    ]);
    await tell(of('list'), /ann@example\.org +Ann +\d{4}-\d\d-\d\d +administrator, no password yet/);
    const [{ stdout: key }, { url }] = await Promise.all([
      keys('create', 'bot', '--account', 'ANN@example.org'),
      serve('data', ['--port', '0', ...slim]),
      tell(
        of('administrator', 'ann@example.org', '--off'),
        /no longer an administrator[^]*To have one again: .* accounts administrator ann@example\.org/,
      ),
      tell(keys('rotate', '--json'), /"generation": [1-9]/),
    ]);
    const who = async () => run(['call', '--key-stdin', '--url', url, 'auth_me'], { input: key });
    assert.equal(JSON.parse((await who()).stdout).email, 'ann@example.org');
    await tell(of('disable', 'ann@example.org'), /is disabled/);
    await Promise.all([
      tell(who(), /UNAUTHENTICATED[^]*accounts enable EMAIL/), // at once, in the service that runs
      tell(of('reset', 'ann@example.org'), /accounts enable ann@example\.org/),
      tell(keys('list', '--account', 'ann@example.org'), /disabled[^]*accounts enable/),
    ]);
    await tell(of('enable', 'ann@example.org'), /is enabled/);
    assert.equal((await who()).code, 0);
  });
});
