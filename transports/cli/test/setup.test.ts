import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { CLIENTS, type ClientName } from '@service-mcp/transport-mcp/client-settings';
import { BINARY } from '#cli/deployment.js';
import { mergeSettings } from '#cli/setup/merge-settings.js';
import { runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';

const MCP = 'http://127.0.0.1:8080/mcp';
/** Entry of each client with OAuth, and with a key from a variable. */
const REMOTE = {
  claude: [{ type: 'http', url: MCP }, { headers: { 'X-Service-API-Key': '${K}' } }],
  cursor: [{ url: MCP }, { headers: { 'X-Service-API-Key': '${env:K}' } }],
  vscode: [{ type: 'http', url: MCP }, { headers: { 'X-Service-API-Key': '${env:K}' } }],
  codex: [{ url: MCP }, { env_http_headers: { 'X-Service-API-Key': 'K' } }],
  gemini: [{ httpUrl: MCP }, { headers: { 'X-Service-API-Key': '${K}' } }],
  opencode: [{ type: 'remote', url: MCP }, { headers: { 'X-Service-API-Key': '{env:K}' } }],
  zed: [{ url: MCP }, undefined],
} as const satisfies Record<ClientName, unknown>;
const names = Object.keys(CLIENTS) as ClientName[];
/** By client: the file below the home folder on Linux, and what it may hold before, comments and odd spaces included. */
const BEFORE: Record<ClientName, readonly [file: string, text: string]> = {
  claude: ['.claude.json', '{"numStartups":7,"mcpServers":{"other":{"command":"x"}}}'],
  cursor: ['.cursor/mcp.json', '{\n\t"mcpServers": {\n\t\t"other": { "url": "https://o.example" }\n\t}\n}\n'],
  vscode: ['.config/Code/User/mcp.json', '{\n  // mine\n  "servers": {},\n  "inputs": [],\n}\n'],
  codex: [
    '.codex/config.toml',
    'model = "o" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n[tools]\nweb = true\n',
  ],
  gemini: ['.gemini/settings.json', '{\r\n    "theme": "Dracula"\r\n}\r\n'],
  opencode: [
    '.config/opencode/opencode.jsonc',
    '{\n  /* mine */\n  "mcp": { "other": { "type": "local" } }\n}\n',
  ],
  zed: ['.config/zed/settings.json', '// Zed settings\n{\n  "vim_mode": true,\n}\n'],
};

describe('setup of clients', () => {
  let home: Awaited<ReturnType<typeof folderWith>>;
  beforeEach(async () => {
    home = await folderWith({ 'project/x': '' });
  });
  afterEach(() => home.remove());

  const setup = (...args: string[]) =>
    runCommand(['setup', ...args], {
      cwd: join(home.path, 'project'),
      env: { HOME: home.path, XDG_CONFIG_HOME: join(home.path, '.config') },
    });
  const place = async (path: string, text: string, mode = 0o644): Promise<string> => {
    const file = join(home.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode });
    return file;
  };
  const read = (name: ClientName, text: string): Record<string, unknown> =>
    CLIENTS[name].format === 'toml' ? parseToml(text) : (parseJsonc(text) as Record<string, unknown>);
  const serverIn = (name: ClientName, text: string) => {
    const settings = read(name, text);
    let at: unknown = settings;
    for (const key of [...CLIENTS[name].path(settings), 'service-mcp'])
      at = (at as Record<string, unknown>)[key];
    return JSON.parse(JSON.stringify(at)) as unknown;
  };

  /** The settings without the server and what holds nothing else. */
  const withoutServer = (name: ClientName, text: string) =>
    JSON.parse(JSON.stringify(read(name, text)), (key, value: unknown) => {
      const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
      return key === 'service-mcp' || isEmpty ? undefined : value;
    }) as unknown;

  for (const name of names) {
    it(`adds the server to the settings of ${CLIENTS[name].title}, keeps the rest and a copy, and does so once`, async () => {
      const [path, before] = BEFORE[name];
      const file = await place(path, before);
      const outcome = await setup(name);
      assert.equal(outcome.code, 0, outcome.stderr);
      assert.ok(outcome.stderr.includes(file), outcome.stderr);
      const after = await readFile(file, 'utf8');
      assert.deepEqual(serverIn(name, after), REMOTE[name][0]);
      // Every word of before is there, comments too.
      for (const word of before.match(/[\w/*"=]+/g) ?? [])
        assert.ok(after.includes(word), `${word} is lost from ${after}`);
      assert.deepEqual(withoutServer(name, after), withoutServer(name, before));
      if (before.includes('\r\n')) assert.ok(!/[^\r]\n/.test(after), 'line ends stay');
      const backups = (await readdir(dirname(file))).filter((each) => each.endsWith('.backup'));
      assert.equal(backups.length, 1);
      assert.equal(await readFile(join(dirname(file), backups[0] ?? ''), 'utf8'), before);
      const again = await setup(name);
      assert.match(again.stderr, /nothing was written/);
      assert.equal(await readFile(file, 'utf8'), after);
    });
  }

  it('adds several servers in a row', async () => {
    const file = await place('.cursor/mcp.json', '{}');
    for (const name of ['one', 'two', 'three']) assert.equal((await setup('cursor', '--name', name)).code, 0);
    const { mcpServers } = read('cursor', await readFile(file, 'utf8'));
    assert.deepEqual(Object.keys(mcpServers as object), ['one', 'two', 'three']);
  });

  it('shows the entry alone with --print, in every form, and writes nothing', async () => {
    await home.write(
      '.config/service-mcp/credentials.json',
      JSON.stringify({ 'http://127.0.0.1:8080': { key: 'svc_k' } }),
    );
    for (const name of names) {
      const shown = async (...args: string[]) =>
        serverIn(name, (await setup(name, '--print', ...args)).stdout);
      const [open, key] = REMOTE[name];
      assert.deepEqual(await shown(), open, name);
      if (key) assert.deepEqual(await shown('--key-variable', 'K'), { ...open, ...key }, name);
      else assert.match((await setup(name, '--key-variable', 'K')).stderr, /knows no variables/);
      assert.ok(JSON.stringify(await shown('--key')).includes('{"X-Service-API-Key":"svc_k"}'), name);
      const local = JSON.stringify(await shown('--stdio', '--url', 'https://m.example', '--key-stdin'));
      for (const part of [process.execPath, BINARY, '"stdio"', '"SERVICE_API_URL":"https://m.example"'])
        assert.ok(local.includes(part), local);
      assert.ok(
        JSON.stringify(await shown('--data', 'd')).includes(`"--data","${join(home.path, 'project', 'd')}"`),
      );
    }
    assert.deepEqual((await readdir(home.path)).toSorted(), ['.config', 'project']);
    assert.deepEqual(await readdir(join(home.path, 'project')), ['x']);
  });

  it('replaces its own entry and leaves there what a person added to it', async () => {
    const toml =
      '[mcp_servers.service-mcp]\nurl = "http://old"\nstartup_timeout_sec = 30\n[mcp_servers.service-mcp.http_headers]\nX = "y"\n[other]\na = 1\n';
    const file = await place('.codex/config.toml', toml);
    assert.equal((await setup('codex')).code, 0);
    const text = await readFile(file, 'utf8');
    assert.deepEqual(JSON.parse(JSON.stringify(parseToml(text))), {
      mcp_servers: { 'service-mcp': { url: MCP, startup_timeout_sec: 30 } },
      other: { a: 1 },
    });
    const gemini = await place(
      '.gemini/settings.json',
      '{"mcpServers":{"service-mcp":{"command":"x","trust":true}}}',
    );
    assert.equal((await setup('gemini')).code, 0);
    assert.deepEqual(serverIn('gemini', await readFile(gemini, 'utf8')), { httpUrl: MCP, trust: true });
    const v2 = await place('.config/opencode/opencode.json', '{"mcp":{"servers":{"a":{"type":"local"}}}}');
    assert.equal((await setup('opencode')).code, 0);
    assert.deepEqual(
      Object.keys((read('opencode', await readFile(v2, 'utf8'))['mcp'] as { servers: object }).servers),
      ['a', 'service-mcp'],
    );
  });

  it('leaves files alone that it cannot read as settings, and names the place', async () => {
    const faults: [ClientName, string, RegExp][] = [
      ['cursor', '{\n  "mcpServers": {,}\n}', /mcp\.json is not valid JSON: line 2, column 18: /],
      ['cursor', '[]', /is not a JSON object/],
      ['cursor', '{"mcpServers":[]}', /mcpServers in .* is not an object/],
      [
        'cursor',
        '{"mcpServers":{"a":1},"mcpServers":{}}',
        /mcpServers in .* is there twice, or is written in/,
      ],
      ['codex', 'a = 1\nb =\n', /config\.toml is not valid TOML: line 2, column/],
      ['codex', 'mcp_servers = { service-mcp = { url = "x" } }\n', /cannot be replaced safely/],
      ['codex', 'mcp_servers = { other = { url = "x" } }\n', /cannot be replaced safely/],
    ];
    for (const [name, text, message] of faults) {
      const file = await place(BEFORE[name][0], text);
      const outcome = await setup(name);
      assert.equal(outcome.code, 1, text);
      assert.match(outcome.stderr, message);
      assert.match(outcome.stderr, /--print/);
      assert.equal(await readFile(file, 'utf8'), text);
    }
  });

  it('keeps the byte order mark of an editor of Windows', async () => {
    for (const [name, before] of [
      ['cursor', '\ufeff{"mcpServers":{}}'],
      ['codex', '\ufeffmodel = "o"\n'],
    ] as const) {
      const file = await place(BEFORE[name][0], before);
      const outcome = await setup(name);
      assert.equal(outcome.code, 0, outcome.stderr);
      const after = await readFile(file, 'utf8');
      assert.ok(after.startsWith('\ufeff'));
      assert.deepEqual(serverIn(name, after.slice(1)), REMOTE[name][0]);
      assert.match((await setup(name)).stderr, /nothing was written/);
    }
  });

  it('leaves a read-only file alone, and writes behind a link whose file is not there yet', async () => {
    const file = await place('.cursor/mcp.json', '{}', 0o444);
    const refused = await setup('cursor');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /mcp\.json is read-only.*\n.*--print/);
    assert.equal(await readFile(file, 'utf8'), '{}');
    await place('dotfiles/x', '');
    await mkdir(join(home.path, '.codex'));
    await symlink('../dotfiles/config.toml', join(home.path, '.codex', 'config.toml'));
    const written = await setup('codex');
    assert.equal(written.code, 0, written.stderr);
    assert.match(await readFile(join(home.path, 'dotfiles', 'config.toml'), 'utf8'), /service-mcp/);
  });

  it('cuts only its own table out of TOML', () => {
    const text = 's = """\n[mcp_servers.service-mcp]\n"""\n["mcp_servers"."service-mcp"]\nurl = "old"\n';
    const merge = { file: 'f', text, name: 'service-mcp', entry: { url: 'new' } };
    assert.throws(
      () => mergeSettings(CLIENTS.codex, merge),
      /cannot be replaced safely/,
      'a text that looks like a table',
    );
    const plain = text.slice(text.indexOf('["'));
    assert.equal(
      mergeSettings(CLIENTS.codex, { ...merge, text: plain }),
      '[mcp_servers.service-mcp]\nurl = "new"\n',
    );
  });

  it('closes a file that gets a key, keeps a link a link, and writes no key into a folder', async () => {
    await home.write(
      '.config/service-mcp/credentials.json',
      JSON.stringify({ 'http://127.0.0.1:8080': { key: 'svc_secret_key' } }),
    );
    const file = await place('dotfiles/mcp.json', '{}');
    await mkdir(join(home.path, '.cursor'));
    await symlink(file, join(home.path, '.cursor', 'mcp.json'));
    const outcome = await setup('cursor', '--key');
    assert.equal(outcome.code, 0, outcome.stderr);
    assert.ok(!`${outcome.stdout}${outcome.stderr}`.includes('svc_secret_key'), 'the key is not shown');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok((await readFile(file, 'utf8')).includes('svc_secret_key'));
    const shared = await setup('cursor', '--key', '--project');
    assert.equal(shared.code, 1);
    assert.match(shared.stderr, /shared with everybody/);
    assert.equal((await setup('cursor', '--project')).code, 0);
    assert.equal(
      serverIn('cursor', await readFile(join(home.path, 'project/.cursor/mcp.json'), 'utf8')) !== undefined,
      true,
    );
    for (const args of [
      ['zed', '--project'],
      ['codex', '--name', 'a.b'],
      ['codex', '--data', 'x', '--key'],
      ['codex', '--key', '--key-variable', 'K'],
      ['codex', '--key-variable', 'MY KEY'],
      ['codex', '--key-variable', `svc_live_${'k'.repeat(48)}`],
    ])
      assert.equal((await setup(...args)).code, 1, args.join(' '));
  });

  it('warns of a variable that is not set', async () => {
    const unset = await setup('codex', '--key-variable', 'SURELY_UNSET_KEY', '--url', 'http://127.0.0.1:1');
    assert.equal(unset.code, 0);
    assert.match(unset.stderr, /SURELY_UNSET_KEY is not set here: Codex needs it/);
  });
});
