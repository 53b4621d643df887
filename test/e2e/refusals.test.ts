import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBinary, runCommand } from '../command.js';

/** A plugin as a module beside the deployment file. */
const plugin = (id: string, rest = '') => `
import { closed, definePlugin, defineTool } from '${import.meta.resolve('@service-mcp/core')}';
import { Type } from '${import.meta.resolve('typebox')}';
const tool = (name, path) => defineTool({
  name, title: name, description: name, effect: 'read', uses: {},
  input: Type.Object({}, closed), output: Type.Object({}, closed),
  access: { scope: 'x:read', in: 'deployment' },
  http: { method: 'GET', path }, handler: async () => ({}),
});
export default definePlugin({ id: '${id}', description: '${id}', api: '^1', ${rest} });
`;
const tools = (id: string, list: string) =>
  `toolsets: [{ id: '${id}', description: 'x', tools: [${list}] }],`;

const HELP = '@service-mcp/plugin-help';

interface Case {
  readonly what: string;
  /** The deployment file as an object, or as text. */
  readonly file?: object | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly place: RegExp;
  readonly remedy: RegExp;
}

const CASES: readonly Case[] = [
  {
    what: 'a deployment file that is absent',
    args: ['--config', 'nowhere.json'],
    place: /nowhere\.json: it cannot be read/,
    remedy: /--config/,
  },
  { what: 'a deployment file that is not JSON', file: '{', place: /it is not JSON/, remedy: /Fix the file/ },
  {
    what: 'a deployment file without plugins',
    file: '{ "server": { "port": 9000 } }',
    place: /"plugins" in deployment file .*: it is not a list of package names/,
    remedy: /start from a copy of deploy\/hosted\.json/,
  },
  {
    what: 'an unknown plugin',
    file: { plugins: ['@acme/no-such-plugin'] },
    place: /plugins: "@acme\/no-such-plugin"/,
    remedy: /npm install @acme\/no-such-plugin/,
  },
  {
    what: 'an unknown transport',
    file: { transports: ['./none.mjs'] },
    place: /transports: "\.\/none\.mjs"/,
    remedy: /reinstall|Install/,
  },
  {
    what: 'a package that is not a plugin',
    file: { plugins: ['./empty.mjs'] },
    place: /plugins: "\.\/empty\.mjs"/,
    remedy: /Write there: export default definePlugin/,
  },
  {
    what: 'a plugin of another contract',
    file: { plugins: ['./future.mjs'] },
    place: /"future": it speaks contract \^2/,
    remedy: /made for this core/,
  },
  {
    what: 'an unknown tool',
    file: { toolsets: { exclude: ['hepl'] } },
    place: /toolsets\.exclude: "hepl"/,
    remedy: /Did you mean "help"/,
  },
  {
    what: 'an unknown toolset',
    env: { SERVICE_TOOLSETS_DEFAULT: 'standart' },
    place: /toolsets\.default: "standart"/,
    remedy: /Did you mean "standard"/,
  },
  {
    what: 'an unknown key',
    file: { toolsets: { alowed: [] } },
    place: /toolsets\.alowed in the deployment file/,
    remedy: /Did you mean "allowed"/,
  },
  {
    what: 'an unknown section',
    file: { tolsets: {} },
    place: /"tolsets" in the deployment file/,
    remedy: /Did you mean "toolsets"/,
  },
  {
    what: 'two tools of one name',
    file: { plugins: [HELP, './same-tool.mjs'] },
    place: /plugin same-tool, tool "help"/,
    remedy: /Begin it with same_tool_/,
  },
  {
    what: 'two tools on one route',
    file: { plugins: [HELP, './same-route.mjs'] },
    place: /plugin same-route, tool "same_route": GET \/v1\/help is the route of tool "help"/,
    remedy: /Change the path/,
  },
  {
    what: 'a plugin without one that it requires',
    file: { plugins: ['@service-mcp/plugin-search', '@service-mcp/plugin-syntax'] },
    place: /plugin search: it requires the plugin "workspaces"/,
    remedy: /Add the package of "workspaces"/,
  },
  {
    what: 'a migration that fails',
    file: { plugins: ['./failing.mjs'] },
    place: /migration failing\/001_half/,
    remedy: /Nothing of this step was kept/,
  },
  {
    what: 'a setting out of bounds',
    file: { server: { call_timeout_ms: 1 } },
    place: /server\.call_timeout_ms in the deployment file: must be >= 100/,
    remedy: /Change it/,
  },
  {
    what: 'a setting out of bounds in the environment',
    env: { SERVICE_CALL_TIMEOUT_MS: 'soon' },
    place: /environment variable SERVICE_CALL_TIMEOUT_MS/,
    remedy: /Change it/,
  },
  {
    what: 'a malformed database address, without repeating it',
    env: { DATABASE_URL: 'mysql://user:hunter2@db/x' },
    place: /environment variable DATABASE_URL/,
    remedy: /Change it/,
  },
  {
    what: 'an address beyond loopback for a single owner',
    args: ['--host', '0.0.0.0'],
    place: /server\.host 0\.0\.0\.0/,
    remedy: /127\.0\.0\.1/,
  },
];

describe('serve refuses to start, and never listens,', () => {
  let folder: string;
  let taken: Server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-refuse-'));
    for (const [name, source] of [
      ['empty', 'export default {};'],
      ['future', plugin('future').replace('^1', '^2')],
      ['same-tool', plugin('same-tool', tools('same-tool', "tool('help', '/v1/other')"))],
      ['same-route', plugin('same-route', tools('same-route', "tool('same_route', '/v1/help')"))],
      [
        'failing',
        plugin(
          'failing',
          "migrations: [{ id: '001_half', up: (sql) => sql.raw('INSERT INTO nowhere VALUES (1)') }],",
        ),
      ],
    ] as const) {
      await writeFile(join(folder, `${name}.mjs`), source);
    }
    // A process that got as far as listening would report the port instead.
    taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
  });
  after(async () => {
    taken.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start({ file = {}, env, args = [] }: Partial<Case>, run = runCommand) {
    const config = join(folder, `${crypto.randomUUID()}.json`);
    const defaults = { plugins: [HELP], transports: ['@service-mcp/transport-rest'] };
    await writeFile(config, typeof file === 'string' ? file : JSON.stringify({ ...defaults, ...file }));
    const port = String((taken.address() as AddressInfo).port);
    return run(['serve', '--config', config, '--port', port, '--data', `${config}.data`, ...args], {
      cwd: folder,
      ...(env && { env }),
    });
  }

  for (const each of CASES) {
    it(each.what, async () => {
      const outcome = await start(each);
      assert.equal(outcome.code, 1, outcome.stderr);
      assert.equal(outcome.stdout, '');
      assert.match(outcome.stderr, each.place);
      assert.match(outcome.stderr, new RegExp(`\\n→ .*(?:${each.remedy.source})`));
      assert.doesNotMatch(outcome.stderr, /another process listens|hunter2|\n\s+at /);
    });
  }

  it('a port that is taken', async () => {
    const { code, stderr } = await start({}, runBinary);
    assert.equal(code, 1);
    assert.match(stderr, /another process listens there\n→ .*--port/);
  });
});
