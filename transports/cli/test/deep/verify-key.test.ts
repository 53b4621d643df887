import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { maskedKey } from '#cli/commands/verify-key.js';
import {
  ended,
  runCommand,
  startCommand,
  told,
  type CommandOutcome,
  type RunOptions,
} from '../support/command.js';
import { folderWith } from '../support/folder.js';

const DEPLOY = fileURLToPath(new URL('../../../../../deploy/', import.meta.url));

interface Line {
  readonly valid: boolean;
  readonly masked_key: string | null;
  readonly email?: string;
  readonly name?: string;
  readonly workspaces?: readonly { id: string; name: string; role: string }[];
  readonly error?: { code?: string; message: string; next?: string };
  readonly source: string | null;
}

describe('verify-key', () => {
  let home: Awaited<ReturnType<typeof folderWith>>;
  const running: ChildProcess[] = [];
  const listening: Server[] = [];
  before(async () => {
    home = await folderWith();
  });
  after(() => home.remove());
  afterEach(async () => {
    for (const child of running.splice(0)) {
      const end = ended(child);
      child.kill('SIGTERM');
      await end;
    }
    for (const server of listening.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const run = (args: readonly string[], options: RunOptions = {}) =>
    runCommand(args, {
      cwd: home.path,
      ...options,
      env: { XDG_CONFIG_HOME: join(home.path, 'none'), ...options.env },
    });
  const verify = (url: string, options: RunOptions = {}) =>
    run(['verify-key', '--url', url, '--json', ...(options.input ? ['--key-stdin'] : [])], options);
  const withKey = (key: string) => ({ env: { SERVICE_API_KEY: key } });

  function lineOf({ stdout }: CommandOutcome): Line {
    assert.match(stdout, /^\{[^\n]*\}\n$/, 'one line');
    return JSON.parse(stdout) as Line;
  }

  async function serve(name: string, deployment: object | string): Promise<{ url: string; key: string }> {
    const file = join(DEPLOY, 'hosted.json');
    const packages = JSON.parse(await readFile(file, 'utf8')) as object;
    const config =
      typeof deployment === 'string' ? join(DEPLOY, deployment) : join(home.path, `${name}.json`);
    if (typeof deployment !== 'string')
      await home.write(`${name}.json`, JSON.stringify({ ...packages, ...deployment }));
    const XDG_CONFIG_HOME = join(home.path, `${name}-config`);
    const args = ['serve', '--config', config, '--data', join(home.path, name), '--port', '0', '--json'];
    const child = startCommand(args, { env: { XDG_CONFIG_HOME, SERVICE_LOG_LEVEL: 'error' } });
    running.push(child);
    const { url } = JSON.parse(await told(child, '\n}\n')) as { url: string };
    const kept = await readFile(join(XDG_CONFIG_HOME, 'service-mcp', 'credentials.json'), 'utf8').catch(
      () => '{}',
    );
    return { url, key: (JSON.parse(kept) as Record<string, { key: string }>)[url]?.key ?? '' };
  }

  async function other(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    listening.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('shows the account, the source and the number of scopes of a key', async () => {
    const { url, key } = await serve('accounts', {});
    const call = async (tool: string, args: object) =>
      JSON.parse((await run(['call', '--url', url, tool, JSON.stringify(args)], withKey(key))).stdout) as {
        id: string;
      };
    const { id: one } = await call('workspaces_create', { name: 'one' });
    await call('workspaces_create', { name: 'two' });

    const good = await verify(url, withKey(key));
    assert.equal(good.code, 0, good.stderr);
    const { workspaces = [], ...rest } = lineOf(good);
    assert.deepEqual(rest, {
      valid: true,
      masked_key: `${key.slice(0, 19)}****`,
      email: 'owner@localhost',
      name: 'Local owner',
      source: 'SERVICE_API_KEY',
    });
    assert.deepEqual(workspaces.map(({ name, role }) => `${name}: ${role}`).sort(), [
      'one: owner',
      'two: owner',
    ]);

    const piped = await verify(url, { ...withKey('svc_live_of-elsewhere'), input: `${key}\n` });
    assert.equal(lineOf(piped).source, '--key-stdin', piped.stderr);
    const kept = await run(['verify-key', '--json'], {
      env: { XDG_CONFIG_HOME: join(home.path, 'accounts-config'), SERVICE_API_URL: url },
    });
    assert.match(lineOf(kept).source ?? '', /credentials\.json$/);
    await home.write(
      'project/.mcp.json',
      JSON.stringify({ mcpServers: { it: { url: `${url}/mcp`, headers: { 'X-Service-API-Key': key } } } }),
    );
    const near = await verify(url, { cwd: join(home.path, 'project') });
    assert.match(lineOf(near).source ?? '', /\.mcp\.json$/);

    // Few scopes and one workspace: the key is as good.
    const create = ['keys', 'create', 'narrow', '--scope', 'search:read', '--workspace', one];
    const made = await run([...create, '--url', url, '--json'], withKey(key));
    const narrow = JSON.parse(made.stdout) as { secret_key: string; masked_key: string; id: string };
    const line = lineOf(await verify(url, withKey(narrow.secret_key)));
    assert.equal(line.valid, true);
    assert.equal(line.masked_key, narrow.masked_key, 'masked as the service does');
    assert.deepEqual(
      line.workspaces?.map(({ id }) => id),
      [one],
    );

    const byName = await run(['keys', 'create', 'x', '--workspace', 'one', '--url', url], withKey(key));
    assert.match(byName.stderr, new RegExp(`"one" has the id ${one}: choose it with --workspace ${one}`));

    // A key that may not list workspaces is told where it finds them.
    const wide = await run(
      ['keys', 'create', 'wide', '--scope', 'search:read', '--url', url, '--json'],
      withKey(key),
    );
    const { secret_key } = JSON.parse(wide.stdout) as { secret_key: string };
    const unplaced = await run(['search', 'x', '--url', url], withKey(secret_key));
    assert.ok(
      unplaced.stderr.includes(
        `Choose one with --workspace ID: service-mcp verify-key --url ${url} lists them`,
      ),
      unplaced.stderr,
    );

    const shown = await run(['verify-key', '--url', url], withKey(narrow.secret_key));
    assert.equal(shown.code, 0);
    assert.match(
      shown.stdout,
      /takes this key[^]*owner@localhost \(Local owner\)[^]*1 workspace\n.*one \(owner\)/,
    );
    assert.ok(shown.stdout.includes(narrow.masked_key));
    assert.ok(!shown.stdout.includes(narrow.secret_key.slice(19)));

    const refused = await run(['keys', 'list', '--url', url], withKey(narrow.secret_key));
    const wider = `keys create NAME --scope search:read --scope auth:read --workspace ${one} --account EMAIL`;
    assert.ok(refused.stderr.includes(wider), refused.stderr);

    // Refused: 1, and the reason.
    await run(['keys', 'revoke', narrow.id, '--url', url], withKey(key));
    const mistyped = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    for (const bad of [narrow.secret_key, mistyped, 'nonsense', 'a'.repeat(4096)]) {
      const refused = await verify(url, withKey(bad));
      assert.equal(refused.code, 1, refused.stdout);
      const { valid, error, masked_key } = lineOf(refused);
      assert.deepEqual([valid, error?.code], [false, 'UNAUTHENTICATED']);
      assert.match(error?.next ?? '', /from SERVICE_API_KEY/);
      assert.equal(masked_key, maskedKey(bad));
      assert.ok(!`${refused.stdout}${refused.stderr}`.includes(bad));
    }
    const missing = await verify(url);
    assert.equal(missing.code, 1);
    assert.deepEqual([lineOf(missing).masked_key, lineOf(missing).source], [null, null]);
    assert.match(
      lineOf(missing).error?.next ?? '',
      /No key for .* is in SERVICE_API_KEY, SERVICE_API_KEY_FILE, \.mcp\.json/,
    );
    const spaced = await verify(url, withKey(`${key} ${key}`));
    assert.equal(spaced.code, 1);
    assert.ok(!spaced.stdout.includes(key));
    const forPeople = await run(['verify-key', '--url', url], withKey(mistyped));
    assert.equal(forPeople.code, 1);
    assert.equal(forPeople.stdout, '');
    assert.match(forPeople.stderr, /UNAUTHENTICATED/);
  });

  it('says of a service without accounts that it asks for no key', async () => {
    const { url } = await serve('local', 'local.json');
    const none = await verify(url);
    assert.equal(none.code, 0, none.stderr);
    assert.deepEqual(lineOf(none), { valid: true, masked_key: null, source: null, workspaces: [] });
    const unread = await verify(url, withKey('any-key-at-all'));
    assert.deepEqual([unread.code, lineOf(unread).masked_key], [0, '****']);
    assert.match((await run(['verify-key', '--url', url])).stdout, /asks for no key/);
  });

  it('knows a good key where the deployment does not show accounts', async () => {
    const { url, key } = await serve('hidden', { toolsets: { allowed: ['help'], default: ['help'] } });
    const good = await verify(url, withKey(key));
    assert.deepEqual([good.code, lineOf(good).valid], [0, true], good.stdout);
    assert.match((await run(['verify-key', '--url', url], withKey(key))).stdout, /takes this key/);
    assert.equal((await verify(url, withKey('nonsense'))).code, 1);
    assert.equal((await verify(url)).code, 1);
  });

  describe('exits 2 and shows no key', () => {
    const KEY = `svc_live_${'k'.repeat(48)}`;
    const json = (status: number, body: unknown): RequestListener => {
      return (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
    };
    const refuses = (status: number, code: string) => json(status, { error: { code, message: 'Not now.' } });
    const me = { email: 'ann@example.org', name: 'Ann' };
    const faults: [string, RequestListener, RegExp][] = [
      ['garbage', json(200, '<html>'), /is not this service/],
      ['null', json(200, 'null'), /is not this service/],
      ['an account without fields', json(200, { structuredContent: { ok: true } }), /is not this service/],
      [
        'malformed workspaces',
        json(200, { structuredContent: { ...me, workspaces: [null] } }),
        /is not this service/,
      ],
      ["somebody else's 401", json(401, 'Unauthorized'), /is not this service/],
      ['500 of its own', refuses(500, 'INTERNAL'), /Not now/],
      ['429', refuses(429, 'RATE_LIMITED'), /Not now/],
      ['502 of a proxy', json(502, ''), /not ready/],
      [
        'a redirect',
        (_request, response) => response.writeHead(307, { location: '/x' }).end(),
        /redirects to /,
      ],
      ['a connection that breaks', (request) => request.socket.destroy(), /cannot be reached/],
      ['a service that never answers', () => undefined, /did not answer within/],
      [
        'an answer without end',
        (_request, response) => {
          response.write('{');
          const timer = setInterval(() => response.write(' '), 100);
          response.on('close', () => clearInterval(timer));
        },
        /did not answer within/,
      ],
    ];
    it('for a service that is away, broken, or something else', async () => {
      const gone = await other(() => undefined);
      for (const server of listening.splice(0)) await new Promise((resolve) => server.close(resolve));
      const cases = await Promise.all(
        faults.map(async ([what, listener, message]) => ({ what, url: await other(listener), message })),
      );
      cases.push({ what: 'nothing that listens', url: gone, message: /nothing listens/ });
      // Two of them take until the time-out.
      const outcomes = await Promise.all(cases.map(({ url }) => verify(url, withKey(KEY))));
      for (const [index, outcome] of outcomes.entries()) {
        const { what = '', message = /^$/ } = cases[index] ?? {};
        assert.equal(outcome.code, 2, `${what}: ${outcome.stdout}`);
        const { valid, error, masked_key, source } = lineOf(outcome);
        assert.deepEqual([valid, masked_key, source], [false, maskedKey(KEY), 'SERVICE_API_KEY'], what);
        assert.match(error?.message ?? '', message, what);
        assert.ok(!`${outcome.stdout}${outcome.stderr}`.includes(KEY), what);
      }
    });

    it('for an address that no service can have', async () => {
      for (const url of ['memory.example.org', 'ftp://memory.example.org']) {
        const outcome = await verify(url, withKey(KEY));
        assert.equal(outcome.code, 2, outcome.stderr);
        const { valid, error, source } = lineOf(outcome);
        assert.deepEqual([valid, source], [false, null]);
        assert.match(error?.message ?? '', /is not the address of a service/);
      }
    });

    it('not even a key that the service repeats', async () => {
      const error = { code: 'UNAUTHENTICATED', message: `No such key: ${KEY}\u001b[2J` };
      for (const args of [[], ['--json']]) {
        const url = await other(json(401, { error }));
        const outcome = await run(['verify-key', '--url', url, ...args], withKey(KEY));
        assert.equal(outcome.code, 1);
        const all = `${outcome.stdout}${outcome.stderr}`;
        assert.ok(!all.includes(KEY) && !all.includes('\u001b'), all);
        assert.match(all, /No such key: svc_live_k{10}\*{4}/);
      }
    });
  });
});
