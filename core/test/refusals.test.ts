import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closed, defineConfig, defineTransport, provide, token } from '@service-mcp/core';
import { assemble, start } from '@service-mcp/core/host';
import { testHost } from '@service-mcp/core/testing';
import { Type } from 'typebox';
import { demo, demoConfig as config, echo, refuses } from './fixtures.js';

describe('boot refuses', () => {
  const boot = (
    plugins: Parameters<typeof demo>[1][],
    file: Record<string, unknown> = {},
    env: Record<string, string> = {},
  ) =>
    assemble(
      file,
      plugins.map((init, n) =>
        demo([echo({ name: `demo_echo_${n}` })], { id: `demo${n}`, toolsets: [], ...init }),
      ),
      [],
      env,
    );

  it('an unknown section, with the nearest name', () =>
    refuses(() => boot([], { tolsets: {} }), /"tolsets"/, /Did you mean "toolsets"\? .*or enable/));
  it('an unknown key', () =>
    refuses(() => boot([], { toolsets: { alowed: [] } }), /toolsets\.alowed/, /"allowed"/));
  it('a value out of bounds, in the file and in the environment', async () => {
    await refuses(
      () => boot([], { server: { port: 70000 } }),
      /server\.port in the deployment file/,
      /Change it/,
    );
    await refuses(
      () => boot([], {}, { SERVICE_PORT: 'eight' }),
      /environment variable SERVICE_PORT/,
      /Change it/,
    );
    await refuses(() => boot([{ id: 'demo', config }], {}, { DEMO_SIZE: '0' }), /DEMO_SIZE/, /Change it/);
    const withoutScheme = { SERVICE_BASE_URL: 'memory.example.org' };
    await refuses(() => boot([], {}, withoutScheme), /SERVICE_BASE_URL/, /with its scheme, such as https/);
  });
  it('a missing value that has no default, with where to write it', async () => {
    const schema = Type.Object(
      { token: Type.String({ description: 'Token', minLength: 8, 'x-env': 'DEMO_TOKEN', 'x-secret': true }) },
      closed,
    );
    const needs = [{ id: 'demo', config: defineConfig('demo', schema) }];
    const place = /demo\.token in the deployment file/;
    await refuses(() => boot(needs), place, /^Write it there, or set DEMO_TOKEN\.$/, /is required/);
    await refuses(() => boot(needs, { demo: { token: 'short' } }), place, /^Change it\.$/);
    const address = Type.Object(
      { url: Type.String({ description: 'URL', format: 'uri', 'x-env': 'DEMO_URL' }) },
      closed,
    );
    const lost = [{ id: 'demo', config: defineConfig('demo', address) }];
    await refuses(() => boot(lost), /demo\.url/, /^Write it there, or set DEMO_URL\.$/, /is required/);
  });
  it('a file of a secret that says too little, and takes one that does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'secret-'));
    try {
      const file = (name: string) => join(folder, name);
      await writeFile(file('empty'), '\n');
      await writeFile(file('url'), 'postgres://db.example/service\n');
      const of = (name: string, more: object = {}) => ({ DATABASE_URL_FILE: file(name), ...more });
      await refuses(() => boot([], {}, of('none')), /DATABASE_URL_FILE/, /may read/);
      await refuses(() => boot([], {}, of('empty')), /DATABASE_URL_FILE/, /Write the value of DATABASE_URL/);
      await refuses(() => boot([], {}, of('url', { DATABASE_URL: 'postgres://x' })), /_FILE/, /Unset one/);
      assert.equal(boot([], {}, of('url')).config.database.url, 'postgres://db.example/service');
      // Only secrets are read from files.
      assert.equal(boot([], {}, { SERVICE_HOST_FILE: file('none') }).config.server.host, '127.0.0.1');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
  it('settings for a plugin that has none', () =>
    refuses(() => boot([{ id: 'demo' }], { demo: {} }), /"demo"/, /Take the section out/));
  it('a plugin or transport with the id of a section of core, or of core', async () => {
    for (const id of ['sessions', 'limits', 'plugins', 'core'])
      await refuses(() => boot([{ id }]), new RegExp(`^"${id}"$`), /another id/, /of the service itself/);
    const transport = defineTransport({ id: 'workers', description: 'X', api: '^1', mount: () => undefined });
    await refuses(() => assemble({}, [], [transport], {}), /^"workers"$/, /another id/);
  });
  it('two plugins of one id', () =>
    refuses(() => boot([{ id: 'a' }, { id: 'a' }]), /plugins/, /Take one out/));
  it('another contract', () => refuses(() => boot([{ id: 'a', api: '^2' }]), /"a"/, /made for this core/));
  it('a missing requirement', () =>
    refuses(() => boot([{ id: 'a', requires: ['b'] }]), /plugin a/, /Add the package of "b"/));
  it('a circle of requirements', () =>
    refuses(
      () =>
        boot([
          { id: 'a', requires: ['b'] },
          { id: 'b', requires: ['a'] },
        ]),
      /plugin a/,
      /circle/,
    ));

  it('an unknown toolset and tool in the settings', async () => {
    for (const key of ['allowed', 'default', 'exclude']) {
      await refuses(
        () => testHost({ plugins: [demo([echo()])], config: { toolsets: { [key]: ['demo_ecko'] } } }),
        new RegExp(`toolsets.${key}: "demo_ecko"`),
        /demo_echo/,
      );
    }
  });
  it('a toolset that resembles none, with those that there are', () =>
    refuses(
      () => testHost({ plugins: [demo([echo()])], config: { toolsets: { default: ['everything'] } } }),
      /toolsets\.default: "everything"/,
      /^Write light, standard, complete, demo, or the name of a tool\.$/,
    ));
  it('toolsets that leave nothing', async () => {
    const refused = (toolsets: object, place: RegExp, remedy: RegExp) =>
      refuses(() => testHost({ plugins: [demo([echo()])], config: { toolsets } }), place, remedy);
    await refused({ allowed: [] }, /^toolsets$/, /Allow more/);
    await refused({ allowed: ['demo_echo'], exclude: ['demo_echo'] }, /^toolsets$/, /Allow more/);
    const two = [demo([echo(), echo({ name: 'demo_other', level: 'complete' })])];
    await refuses(
      () =>
        testHost({ plugins: two, config: { toolsets: { allowed: ['demo_other'], default: ['demo_echo'] } } }),
      /^toolsets\.default \(demo_echo\)/,
      /SERVICE_TOOLSETS_DEFAULT/,
    );
    for (const level of ['optional', 'complete'] as const)
      await (await testHost({ plugins: [demo([echo({ level })])] })).stop();
  });

  it('clashing tools, routes, toolsets, aliases and reserved names', async () => {
    const start2 = (first: Partial<ReturnType<typeof echo>>, second: Partial<ReturnType<typeof echo>>) =>
      testHost({
        plugins: [
          demo([echo(first)]),
          demo([echo(second)], {
            id: 'other',
            toolsets: [{ id: 'other', description: 'o', tools: [echo(second)] }],
          }),
        ],
      });
    const twice = { id: 'more', description: 'm', tools: [echo()] };
    await refuses(
      () => testHost({ plugins: [demo([], { toolsets: [...demo([echo()]).toolsets, twice] })] }),
      /plugin demo, tool "demo_echo"/,
      /Rename the tool/,
    );
    const at = (path: string) => ({
      http: { method: 'GET' as const, path, status: 200 as const, bodyLimit: 1 },
    });
    await refuses(
      () => start2(at('/v1/x/:text'), { name: 'other_b', ...at('/v1/x/:text') }),
      /tool "other_b"/,
      /Change the path/,
    );
    await refuses(
      () => start2({}, { name: 'other_b', aliases: ['demo_echo'] }),
      /tool other_b/,
      /Drop the alias/,
    );
    await refuses(
      () =>
        testHost({
          plugins: [demo([], { id: 'call', toolsets: [{ ...twice, tools: [echo({ name: 'call' })] }] })],
        }),
      /tool "call"/,
      /Rename/,
    );
    await refuses(() => start2({ name: 'demo_Bad-Name' }, { name: 'other_b' }), /Bad-Name/, /Rename/);
    await refuses(
      () => testHost({ plugins: [demo([echo()]), demo([], { id: 'other' })] }),
      /toolset "demo"/,
      /Rename the toolset/,
    );
  });
  it('a tool whose schema is open, undescribed or none', async () => {
    const input = (schema: object) =>
      testHost({ plugins: [demo([echo({ inputSchema: schema as Record<string, unknown> })])] });
    await refuses(() => input({ type: 'object', properties: {} }), /demo_echo/, /Close it/);
    await refuses(
      () => input({ type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } }),
      /demo_echo/,
      /Describe it/,
    );
    await refuses(
      () => input({ additionalProperties: false, anyOf: [{ type: 'object' }] }),
      /demo_echo/,
      /Type\.Object/,
    );
    await refuses(
      () => input({ type: 'object', additionalProperties: false, required: 'no' }),
      /demo_echo/,
      /Correct the schema/,
    );
  });
  it('a tool in workspaces without a plugin that keeps any', () =>
    refuses(
      () =>
        testHost({ plugins: [demo([echo({ access: { scope: 'x:read', in: 'visible', role: 'viewer' } })])] }),
      /demo_echo/,
      /workspaces plugin/,
    ));

  it('a missing, doubled or circular service, and prints the path', async () => {
    const A = token<object>('demo.A');
    const B = token<object>('demo.B');
    const a = provide(A, { uses: { b: B }, create: () => ({}) });
    const b = provide(B, { uses: { a: A }, create: () => ({}) });
    const boots = (services: (typeof a)[]) => testHost({ plugins: [demo([], { services })] });
    await refuses(
      () => boots([a]),
      /^plugin demo, service demo\.B$/,
      /provides it to "services" of the plugin/,
    );
    await assert.rejects(boots([a]), /demo\.A → demo\.B/);
    await assert.rejects(boots([a, b]), /demo\.A → demo\.B → demo\.A/);
    await refuses(() => boots([a, b, b]), /demo\.B/, /one provider/);
    await refuses(
      () => testHost({ plugins: [demo([echo({ uses: { a: A } })])] }),
      /demo_echo/,
      /provides it/,
    );
  });

  it('an address beyond loopback in a single-owner deployment', () =>
    refuses(
      () =>
        testHost({
          plugins: [demo([echo()])],
          listen: true,
          config: { server: { host: '0.0.0.0' } },
          env: { SERVICE_HOST: '0.0.0.0' },
        }),
      /0\.0\.0\.0/,
      /127\.0\.0\.1/,
    ));
  it('a port that is taken', async () => {
    const first = await testHost({ plugins: [demo([echo()])], listen: true });
    const loaded = assemble(
      { log: { level: 'silent' } },
      [demo([echo()])],
      [],
      {},
      { port: first.address?.port as number, dataDir: first.deployment.dataDir },
    );
    await refuses(() => start(loaded), /127\.0\.0\.1:\d+/, /--port/);
    await first.stop();
  });
  it('PostgreSQL that does not answer', () =>
    refuses(
      () =>
        testHost({
          plugins: [],
          env: { DATABASE_URL: 'postgresql://127.0.0.1:1/none', DATABASE_CONNECT_TIMEOUT_MS: '300' },
        }),
      /database/,
      /DATABASE_URL/,
    ));
  it('a DATABASE_URL that is not an address of one server, or names a file that cannot be read', async () => {
    const boots = (url: string) => () => testHost({ plugins: [], env: { DATABASE_URL: url } });
    for (const unreadable of [
      'postgres://me:a/b+c=@127.0.0.1:1/service',
      'postgres://me:a#b@127.0.0.1:1/service',
      'postgres://me:a%ffb@127.0.0.1:1/service',
      'postgres://me:pw@127.0.0.1:1,127.0.0.1:2/service',
    ])
      await refuses(boots(unreadable), /database/, /HOST:PORT.*percent-encoded/, /address of one server/);
    await refuses(
      boots('postgres://me@127.0.0.1:1/service?sslmode=verify-full&sslrootcert=/none.pem'),
      /database/,
      /path/,
      /file \/none\.pem, which cannot be read \(no such file/,
    );
  });
});
