import { Type } from 'typebox';
import {
  closed,
  contribute,
  defineConfig,
  definePrompt,
  defineResource,
  provide,
  token,
  type Access,
  type Resource,
  type Worker,
} from '@service-mcp/core';
import { assemble } from '@service-mcp/core/host';
import { TOOL_PLACE, boots, bootsTool, demo, refuses, untyped } from './fixtures.js';

describe('boot refuses a declaration', () => {
  it('with an unknown effect, level, surface or method', async () => {
    await refuses(
      () => bootsTool({ effect: 'raed' }),
      TOOL_PLACE,
      /types of defineTool/,
      /effect must be one of read/,
    );
    await refuses(
      () => bootsTool({ level: 'standart' }),
      TOOL_PLACE,
      /defineTool/,
      /level must be one of light/,
    );
    await refuses(
      () => bootsTool({ surfaces: ['mpc'] }),
      TOOL_PLACE,
      /Did you mean/,
      /surfaces: none of "mpc"/,
    );
    const http = { method: 'PUT', path: '/v1/x', status: 200, bodyLimit: 1 };
    await refuses(() => bootsTool({ http }), TOOL_PLACE, /defineTool/, /http\.method must be one of GET/);
  });

  it('without the function that does its work, or what it uses', async () => {
    const uses = () => bootsTool({ uses: undefined });
    await refuses(uses, TOOL_PLACE, /types of defineTool/, /uses is required|uses must be/);
    const missing = /handler is not a function/;
    await refuses(() => bootsTool({ handler: undefined }), TOOL_PLACE, /types of defineTool/, missing);
    const worker = { id: 'demo.w', uses: {}, everyMs: 1, wakeOn: [], exclusive: false };
    const boot = () => boots(demo([], { workers: [untyped<Worker>(worker)] }));
    await refuses(boot, /worker "demo\.w"/, /types of defineWorker/, /run is not a function/);
  });

  it('that streams lines where nothing carries them', async () => {
    const http = { method: 'GET', path: '/v1/x', status: 200, bodyLimit: 1, streams: 'out' };
    const surfaces = ['rest'];
    await refuses(() => bootsTool({ http }), TOOL_PLACE, /\['rest'\]/, /on the surface "mcp"/);
    const inward = { ...http, streams: 'in' };
    await refuses(
      () => bootsTool({ http: inward, surfaces }),
      TOOL_PLACE,
      /"POST"/,
      /streams lines in by GET/,
    );
    const other = { ...http, streams: 'both' };
    await refuses(
      () => bootsTool({ http: other, surfaces }),
      TOOL_PLACE,
      /defineTool/,
      /http\.streams must be one of/,
    );
    await (await bootsTool({ http, surfaces })).stop();
  });

  it('with an unknown role, place or field of its access', async () => {
    const access = { scope: 'demo:read', role: 'viewer', in: 'deployment' };
    const of = (init: object) => bootsTool({ access: { ...access, ...init } });
    await refuses(
      () => of({ role: 'amdin' }),
      TOOL_PLACE,
      /defineTool/,
      /access\.role must be one of viewer, member/,
    );
    await refuses(
      () => of({ in: 'workspce' }),
      TOOL_PLACE,
      /defineTool/,
      /access\.in must be one of workspace/,
    );
    await refuses(
      () => of({ roles: 'admin' }),
      TOOL_PLACE,
      /defineTool/,
      /access\.roles is not a known field/,
    );
    await refuses(
      () => of({ in: { resource: 'x' } }),
      TOOL_PLACE,
      /defineTool/,
      /access\.in\.id is required/,
    );
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
    const access = (init: object) => bootsTool({ access: { scope, role: 'viewer', ...init } });
    await refuses(
      () => access({ in: { resource: 'x', id: 'txt' } }),
      TOOL_PLACE,
      /Did you mean "text"/,
      /access\.in\.id/,
    );
    await refuses(
      () => access({ in: 'visible', unlessSelf: 'user' }),
      TOOL_PLACE,
      remedy,
      /access\.unlessSelf/,
    );
    await refuses(() => access({ in: 'workspace' }), TOOL_PLACE, remedy, /workspace_id/);
    await refuses(() => bootsTool({ rawText: ['body'] }), TOOL_PLACE, remedy, /rawText/);
    const http = { method: 'GET', path: '/v1/demo/:id', status: 200, bodyLimit: 1 };
    await refuses(() => bootsTool({ http }), TOOL_PLACE, remedy, /http\.path.*"id"/);
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
    await refuses(
      () => boot({ uses: { a: A } }),
      /resource "demo/,
      /provides it to "services" of the plugin/,
    );
    const B = token<object>('other.B');
    await refuses(() => boot({ uses: { b: B } }), /resource "demo/, /Enable the plugin that provides it/);
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
      bootsTool({
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          properties: { text: { description: 'x', ...text } },
        },
      });
    const remedy = /Correct the schema/;
    await refuses(
      () => input({ type: 'string', pattern: '(' }),
      TOOL_PLACE,
      remedy,
      /\/properties\/text\/pattern/,
    );
    await refuses(() => input({ type: 'string', pattern: '\\-' }), TOOL_PLACE, remedy, /pattern/);
    await refuses(() => input({ type: 'string', format: 'urll' }), TOOL_PLACE, remedy, /format "urll"/);
    await refuses(
      () => input({ type: 'array', items: { format: 'x' } }),
      TOOL_PLACE,
      remedy,
      /items\/format/,
    );
    await refuses(
      () => input({ anyOf: [{ type: 'null' }, { pattern: ')' }] }),
      TOOL_PLACE,
      remedy,
      /anyOf\/1\/pattern/,
    );
    await refuses(() => input({ type: 'string', minLenght: 1 }), TOOL_PLACE, remedy, /"minLenght"/);
    await refuses(() => input({ $ref: '#/$defs/none' }), TOOL_PLACE, remedy, /\$ref/);
    const tuple = { type: 'array', items: [{ type: 'string' }] }; // as drafts before 2020-12 wrote it
    await refuses(() => input(tuple), TOOL_PLACE, remedy, /2020-12: \/properties\/text\/items must be/);
    const output = { type: 'object', properties: { a: { pattern: '[' } } };
    await refuses(
      () => bootsTool({ outputSchema: output }),
      TOOL_PLACE,
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

  it('with a range of the contract that this core does not satisfy', async () => {
    for (const api of ['^1.9', '^2', '<1', '~1.1', 'one', '1.2.3'])
      await refuses(
        () => assemble({}, [demo([], { api })], [], {}),
        /"demo"/,
        /made for this core/,
        /contract/,
      );
    for (const api of ['^1', '1', '1.x', '>=1 <3', '*', '^1.0.0']) assemble({}, [demo([], { api })], [], {});
  });

  it('of a service that throws at start, named with its plugin', async () => {
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
    const where = /no socket \(file:.*declarations\.test\.js:\d+:\d+\)/;
    await refuses(() => boots(demo([], { services: [later] })), /service demo\.All/, /Correct/, where);
  });
});
