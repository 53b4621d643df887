import { Type } from 'typebox';
import {
  Events,
  closed,
  contribute,
  defineConfig,
  definePrompt,
  defineResource,
  defineTransport,
  provide,
  token,
  type Access,
  type Plugin,
  type Resource,
  type Tool,
} from '@service-mcp/core';
import assert from 'node:assert/strict';
import { assemble } from '@service-mcp/core/host';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo, refuses } from './fixtures.js';

/** A declaration as a JavaScript plugin may write it. */
const untyped = <T>(value: object) => value as T;
const boots = (plugin: Plugin, ...others: Plugin[]) => testHost({ plugins: [plugin, ...others] });
const withTool = (init: object) => boots(demo([echo(untyped<Partial<Tool>>(init))]));
const TOOL = /^plugin demo, tool "demo_echo"$/;

describe('boot refuses a declaration', () => {
  it('with an unknown effect, level, surface or method', async () => {
    await refuses(
      () => withTool({ effect: 'raed' }),
      TOOL,
      /types of defineTool/,
      /effect must be one of read/,
    );
    await refuses(() => withTool({ level: 'standart' }), TOOL, /defineTool/, /level must be one of light/);
    await refuses(() => withTool({ surfaces: ['mpc'] }), TOOL, /Did you mean/, /surfaces: none of "mpc"/);
    const http = { method: 'PUT', path: '/v1/x', status: 200, bodyLimit: 1 };
    await refuses(() => withTool({ http }), TOOL, /defineTool/, /http\.method must be one of GET/);
  });

  it('that streams lines where nothing carries them', async () => {
    const http = { method: 'GET', path: '/v1/x', status: 200, bodyLimit: 1, streams: 'out' };
    const surfaces = ['rest'];
    await refuses(() => withTool({ http }), TOOL, /\['rest'\]/, /on the surface "mcp"/);
    const inward = { ...http, streams: 'in' };
    await refuses(() => withTool({ http: inward, surfaces }), TOOL, /"POST"/, /streams lines in by GET/);
    const other = { ...http, streams: 'both' };
    await refuses(
      () => withTool({ http: other, surfaces }),
      TOOL,
      /defineTool/,
      /http\.streams must be one of/,
    );
    await (await withTool({ http, surfaces })).stop();
  });

  it('with an unknown role, place or field of its access', async () => {
    const access = { scope: 'demo:read', role: 'viewer', in: 'deployment' };
    const of = (init: object) => withTool({ access: { ...access, ...init } });
    await refuses(
      () => of({ role: 'amdin' }),
      TOOL,
      /defineTool/,
      /access\.role must be one of viewer, member/,
    );
    await refuses(() => of({ in: 'workspce' }), TOOL, /defineTool/, /access\.in must be one of workspace/);
    await refuses(() => of({ roles: 'admin' }), TOOL, /defineTool/, /access\.roles is not a known field/);
    await refuses(() => of({ in: { resource: 'x' } }), TOOL, /defineTool/, /access\.in\.id is required/);
    const resource = defineResource({
      uriTemplate: 'demo://x',
      name: 'x',
      title: 'x',
      description: 'x',
      mimeType: 'text/plain',
      access: untyped<Access<never>>({ scope: 'demo:read', in: 'visibel' }),
      uses: {},
      read: async () => [],
    });
    await refuses(
      () => boots(demo([], { resources: [resource] })),
      /plugin demo, resource "demo:\/\/x"/,
      /./,
      /in/,
    );
    const prompt = definePrompt({
      name: 'demo_x',
      title: 'x',
      description: 'x',
      arguments: [],
      access: untyped<Access<never>>({ scope: 'demo:read', in: 'self', role: 'boss' }),
      uses: {},
      render: async () => [],
    });
    await refuses(() => boots(demo([], { prompts: [prompt] })), /plugin demo, prompt "demo_x"/, /./, /role/);
  });

  it('that names an argument which it does not have', async () => {
    const scope = 'demo:read';
    const remedy = /Its arguments: text/;
    const access = (init: object) => withTool({ access: { scope, role: 'viewer', ...init } });
    await refuses(
      () => access({ in: { resource: 'x', id: 'txt' } }),
      TOOL,
      /Did you mean "text"/,
      /access\.in\.id/,
    );
    await refuses(() => access({ in: 'visible', unlessSelf: 'user' }), TOOL, remedy, /access\.unlessSelf/);
    await refuses(() => access({ in: 'workspace' }), TOOL, remedy, /workspace_id/);
    await refuses(() => withTool({ rawText: ['body'] }), TOOL, remedy, /rawText/);
    const http = { method: 'GET', path: '/v1/demo/:id', status: 200, bodyLimit: 1 };
    await refuses(() => withTool({ http }), TOOL, remedy, /http\.path.*"id"/);
    const resource: Resource = {
      uriTemplate: 'demo://{thing_id}',
      name: 'x',
      title: 'x',
      description: 'x',
      mimeType: 'text/plain',
      access: { scope, in: { resource: 'thing', id: 'thng_id' } },
      uses: {},
      read: async () => [],
    };
    await refuses(
      () => boots(demo([], { resources: [resource] })),
      /resource "demo/,
      /"thing_id"/,
      /access\.in\.id/,
    );
  });

  it('of a resource that no plugin owns, or a service that no plugin provides', async () => {
    const A = token<object>('demo.A');
    const resource = (init: Partial<Resource>): Resource => ({
      uriTemplate: 'demo://{id}',
      name: 'x',
      title: 'x',
      description: 'x',
      mimeType: 'text/plain',
      access: { scope: 'demo:read', in: 'self' },
      uses: {},
      read: async () => [],
      ...init,
    });
    const boot = (init: Partial<Resource>) => boots(demo([], { resources: [resource(init)] }));
    await refuses(() => boot({ uses: { a: A } }), /resource "demo/, /provides it/);
    await refuses(
      () => boot({ access: { scope: 'x:read', in: 'workspace' } }),
      /resource "demo/,
      /workspaces plugin/,
    );
    const worker = {
      id: 'demo.w',
      uses: { a: A },
      everyMs: 1,
      wakeOn: [],
      exclusive: false,
      run: async () => ({ more: false }),
    };
    await refuses(
      () => boots(demo([], { workers: [worker] })),
      /plugin demo, worker "demo\.w"/,
      /provides it/,
    );
  });

  it('with a schema that cannot be compiled, anywhere in it', async () => {
    const input = (text: object) =>
      withTool({
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          properties: { text: { description: 'x', ...text } },
        },
      });
    const remedy = /Correct the schema/;
    await refuses(() => input({ type: 'string', pattern: '(' }), TOOL, remedy, /\/properties\/text\/pattern/);
    await refuses(() => input({ type: 'string', pattern: '\\-' }), TOOL, remedy, /pattern/);
    await refuses(() => input({ type: 'string', format: 'urll' }), TOOL, remedy, /format "urll"/);
    await refuses(() => input({ type: 'array', items: { format: 'x' } }), TOOL, remedy, /items\/format/);
    await refuses(
      () => input({ anyOf: [{ type: 'null' }, { pattern: ')' }] }),
      TOOL,
      remedy,
      /anyOf\/1\/pattern/,
    );
    await refuses(() => input({ type: 'string', minLenght: 1 }), TOOL, remedy, /"minLenght"/);
    await refuses(() => input({ $ref: '#/$defs/none' }), TOOL, remedy, /\$ref/);
    const output = { type: 'object', properties: { a: { pattern: '[' } } };
    await refuses(
      () => withTool({ outputSchema: output }),
      TOOL,
      remedy,
      /output schema.*\/properties\/a\/pattern/s,
    );
    const type = { type: 'demo.done', description: 'x', scope: 'demo:read' };
    const events = [{ ...type, data: Type.Object({ a: Type.String({ format: 'idd' }) }, closed) }];
    await refuses(() => boots(demo([], { events })), /plugin demo, event "demo\.done"/, remedy, /idd/);
    const config = defineConfig(
      'demo',
      Type.Object({ a: Type.String({ pattern: '(', default: '' }) }, closed),
    );
    await refuses(
      () => assemble({}, [demo([], { config })], [], {}),
      /settings of "demo"/,
      remedy,
      /pattern/,
    );
  });
});

describe('boot refuses names and routes of another owner', () => {
  it('a tool, toolset or prompt named for another plugin', async () => {
    await refuses(
      () => withTool({ name: 'worse_a' }),
      /plugin demo, tool "worse_a"/,
      /Begin it with demo_/,
      /neither the plugin nor one of its toolsets/,
    );
    await refuses(
      () =>
        boots(
          demo([echo()]),
          demo([], { id: 'other', toolsets: [{ id: 'demo', description: 'x', tools: [] }] }),
        ),
      /plugin other, toolset "demo"/,
      /Rename the toolset/,
      /plugin demo/,
    );
    await refuses(
      () =>
        boots(
          demo([], { id: 'a', toolsets: [{ id: 'x', description: 'x', tools: [], prefix: 'b' }] }),
          demo([], { id: 'b', toolsets: [] }),
        ),
      /plugin a, toolset "x"/,
      /Rename/,
      /"b" belongs to plugin b/,
    );
  });

  it('a route of core, of a transport or of another plugin', async () => {
    const rest = defineTransport({
      id: 'rest',
      description: 'Mounts the routes of tools.',
      api: '^1',
      mount({ declared, http: { router } }) {
        router.get('/openapi.json', () => undefined);
        for (const { http } of declared) if (http) router.register(http.path, [http.method], () => undefined);
      },
    });
    const boot = (path: string, init: Partial<Plugin> = {}) => {
      const http = { method: 'GET' as const, path, status: 200 as const, bodyLimit: 1 };
      return testHost({ plugins: [demo([echo({ http })], init)], transports: [rest] });
    };
    const remedy = /Change the path/;
    await refuses(() => boot('/health'), TOOL, remedy, /GET \/health is a route of core/);
    await refuses(() => boot('/metrics'), TOOL, remedy, /GET \/metrics is a route of core/);
    await refuses(
      () => boot('/openapi.json'),
      TOOL,
      remedy,
      /GET \/openapi\.json is a route of transport rest/,
    );
    const routes = [
      {
        uses: {},
        mount: ({ router }: { router: { get(path: string, go: () => void): unknown } }) =>
          void router.get('/v1/demo', () => undefined),
      },
    ];
    await refuses(() => boot('/v1/demo', { routes }), /plugin demo, routes/, remedy, /GET \/v1\/demo/);
  });

  it('a range of the contract that this core does not satisfy', async () => {
    for (const api of ['^1.9', '^2', '<1', '~1.1', 'one', '1.2.3'])
      await refuses(
        () => assemble({}, [demo([], { api })], [], {}),
        /"demo"/,
        /made for this core/,
        /contract/,
      );
    for (const api of ['^1', '1', '1.x', '>=1 <3', '*', '^1.0.0']) assemble({}, [demo([], { api })], [], {});
  });

  it('a service that throws at start, named with its plugin', async () => {
    const A = token<object>('demo.A');
    const create = () => {
      throw new Error('no socket');
    };
    const place = /plugin demo, service demo\.A/;
    await refuses(
      () => boots(demo([], { services: [provide(A, { uses: {}, create })] })),
      place,
      /Correct/,
      /no socket/,
    );
    const later = contribute(
      { kind: 'collection', name: 'demo.All', key: Symbol('all') },
      { uses: {}, create: async () => create() },
    );
    await refuses(() => boots(demo([], { services: [later] })), /service demo\.All/, /Correct/, /no socket/);
  });
});

describe('a plugin records only the events that it declares', () => {
  const Handle = token<{ record(type: string): Promise<void> }>('demo.Handle');
  let recorder: { record(type: string): Promise<void> };
  let host: TestHost;
  before(async () => {
    const declared = (type: string) => ({
      type,
      description: 'x',
      scope: 'demo:read',
      data: Type.Object({}, closed),
    });
    const handle = provide(Handle, {
      uses: { events: Events },
      create: ({ events }) => ({
        record: (type) =>
          events.change(async (_sql, record) => record({ type, workspaceId: null, data: {} })),
      }),
    });
    const tool = echo({
      uses: { handle: Handle, events: Events },
      async handler(_input: never, deps: { handle: typeof recorder; events: Events }) {
        await deps.events.change(async (_sql, record) =>
          record({ type: 'other.done', workspaceId: null, data: {} }),
        );
      },
    });
    host = await boots(
      demo([tool], {
        events: [declared('demo.done')],
        services: [
          handle,
          provide(token<object>('demo.Seen'), {
            uses: { handle: Handle },
            create: ({ handle: made }) => (recorder = made),
          }),
        ],
      }),
      demo([], { id: 'other', toolsets: [], events: [declared('other.done')] }),
    );
  });
  after(() => host.stop());

  it('from a service', async () => {
    await recorder.record('demo.done');
    await assert.rejects(recorder.record('other.done'), /plugin demo.*"other\.done".*plugin other declares/);
    await assert.rejects(recorder.record('demo.dnoe'), /plugin demo.*"demo\.dnoe".*`events` of definePlugin/);
  });
  it('from a tool', () => assert.rejects(host.use('demo_echo'), { code: 'INTERNAL' }));
});
