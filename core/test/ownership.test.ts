import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { Events, closed, defineTransport, provide, token, type Plugin } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import { TOOL_PLACE, boots, bootsTool, demo, echo, refuses } from './fixtures.js';

describe('boot refuses names and routes of another owner', () => {
  it('a tool, toolset or prompt named for another plugin', async () => {
    await refuses(
      () => bootsTool({ name: 'worse_a' }),
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
    await refuses(() => boot('/health'), TOOL_PLACE, remedy, /GET \/health is a route of core/);
    await refuses(() => boot('/metrics'), TOOL_PLACE, remedy, /GET \/metrics is a route of core/);
    await refuses(
      () => boot('/openapi.json'),
      TOOL_PLACE,
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
