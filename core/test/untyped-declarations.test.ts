import assert from 'node:assert/strict';
import { Type, type Static } from 'typebox';
import {
  closed,
  RecordSchema,
  WorkQueues,
  createRecordTable,
  defineConfig,
  definePrompt,
  defineResource,
  defineTool,
  defineWorker,
  provide,
  provideForCall,
  provideRecords,
  token,
  type Access,
  type Plugin,
  type Prompt,
  type Records,
  type Resource,
  type Sql,
  type Token,
  type Worker,
} from '@service-mcp/core';
import { TOOL_PLACE, boots, bootsTool, demo, refuses, untyped } from './fixtures.js';

const Thing = RecordSchema({});
type Thing = Static<typeof Thing>;
const access: Access = { scope: 'demo:read', in: 'deployment' };
const ofPlugin = (init: object) => () => boots(demo([], untyped<Partial<Plugin>>(init)));

describe('boot refuses of a plugin in JavaScript', () => {
  it('a member of a list that no function of core made', async () => {
    const toolset = { id: 'demo', description: 'For tests.', tools: [undefined] };
    await refuses(
      ofPlugin({ toolsets: [toolset] }),
      /^plugin demo, toolset "demo"$/,
      /defineTool/,
      /tools\[0\] is undefined/,
    );
    for (const [list, define] of [
      ['resources', /defineResource/],
      ['prompts', /definePrompt/],
      ['workers', /defineWorker/],
      ['services', /provide/],
    ] as const)
      await refuses(ofPlugin({ [list]: [undefined] }), /^plugin demo$/, define, /\[0\] is undefined/);
    const provided = [provide(token('demo.one'), { uses: {}, create: () => 1 })];
    await refuses(
      ofPlugin({ services: [provided] }),
      /^plugin demo$/,
      /Spread it/,
      /services\[0\] is a list/,
    );
  });

  it('a field that plugins do not have, and an id that is not words', async () => {
    await refuses(ofPlugin({ tools: [] }), /^plugin demo$/, /Known: .*toolsets/, /"tools" is not a field/);
    await refuses(ofPlugin({ worker: [] }), /^plugin demo$/, /Did you mean "workers"/, /"worker"/);
    for (const id of ['My Flags', 'flags_', 'Flags', ''])
      await refuses(ofPlugin({ id }), /^plugin "/, /feature-flags/, /its id is not words/);
  });

  it('a work queue over a table that is not there', async () => {
    const opened = provide(token('demo.queue'), {
      uses: { queues: WorkQueues },
      create: ({ queues }) => queues.open({ name: 'demo', table: 'nowhere' }),
    });
    await refuses(
      ofPlugin({ services: [opened] }),
      /^work queue "demo"$/,
      /"migrations"/,
      /its table "nowhere" does not exist/,
    );
  });

  it('records over a table that is not there, lacks a column, or that nothing works on', async () => {
    const ofTable = (table: string, init: object = {}) =>
      ofPlugin({
        migrations: [
          { id: '001_create', up: (sql: Sql) => createRecordTable(sql, 'things', () => undefined) },
        ],
        services: provideRecords(token<Records<Thing>>('demo.Things'), {
          table,
          resource: 'thing',
          listedBy: 'demo_list',
          schema: Thing,
          ...init,
        }),
      });
    await refuses(
      ofTable('thongs'),
      /^plugin demo, table "thongs" of the resource "thing"$/,
      /"migrations"/,
      /does not exist/,
    );
    const schema = RecordSchema({ colour: Type.String() });
    await refuses(ofTable('things', { schema }), /table "things"/, /in a migration/, /no column "colour"/);
    await refuses(ofTable('things'), /table "things"/, /indexRecords .*queued: false/, /nothing works on/);
    await (await ofTable('things', { queued: false })()).stop();
  });

  it('a default that the schema of the settings refuses, without blaming the deployment file', async () => {
    const max = Type.Integer({ description: 'Flags at most', default: 'ten', 'x-env': 'DEMO_MAX' });
    const config = defineConfig('demo', Type.Object({ max }, closed));
    await refuses(
      ofPlugin({ config }),
      /^settings of "demo"$/,
      /Correct the schema/,
      /default of max must be integer/,
    );
  });

  it('a use of something that is not a token', async () => {
    const uses = { rows: untyped<Token<unknown>>(undefined as never) };
    const problem = /uses\.rows is undefined/;
    await refuses(() => bootsTool({ uses }), TOOL_PLACE, /exported/, problem);
    const worker = defineWorker({
      id: 'demo.w',
      uses,
      everyMs: 1000,
      run: () => Promise.resolve({ more: false }),
    });
    await refuses(ofPlugin({ workers: [worker] }), /worker "demo\.w"/, /exported/, problem);
    const service = provide(token('demo.one'), { uses, create: () => 1 });
    await refuses(ofPlugin({ services: [service] }), /service demo\.one/, /exported/, problem);
    const ofCall = provideForCall(token('demo.two'), { uses, create: () => 1 });
    await refuses(ofPlugin({ services: [ofCall] }), /service demo\.two/, /exported/, problem);
  });

  it('two migrations of one id, of which the second would never run', async () => {
    const step = { id: '001-rows', up: () => Promise.resolve() };
    await refuses(
      ofPlugin({ migrations: [step, { ...step }] }),
      /^plugin demo, migration "001-rows"$/,
      /an id of its own/,
      /twice/,
    );
  });

  it('a worker without a wait between its rounds, which would take a whole core', async () => {
    for (const everyMs of [undefined, '500', 0, Number.NaN]) {
      const worker = { id: 'demo.w', uses: {}, wakeOn: [], exclusive: false, everyMs, run: () => undefined };
      await refuses(
        ofPlugin({ workers: [untyped<Worker>(worker)] }),
        /worker "demo\.w"/,
        /milliseconds/,
        /everyMs is neither/,
      );
    }
  });

  it('a prompt without a list of arguments', async () => {
    const prompt = { name: 'demo_p', description: 'A prompt.', access, uses: {}, render: () => [] };
    const boot = ofPlugin({ prompts: [definePrompt(untyped<Prompt & object>(prompt))] });
    await refuses(boot, /prompt "demo_p"/, /types of definePrompt/, /arguments is required/);
  });

  it('an address with a variable that no URI can fill', async () => {
    for (const uriTemplate of ['demo://{row', 'demo://{rowId}', 'demo://{row_2}', 'demo://{?row}']) {
      const rest = { name: 'row', description: 'A row.', access, uses: {}, read: () => Promise.resolve([]) };
      const resource = defineResource(untyped<Resource>({ ...rest, uriTemplate }) as never);
      const boot = ofPlugin({ resources: [resource] });
      await refuses(boot, /resource "demo:/, /\{name\} or \{\+name\}/, /a variable that cannot be filled/);
    }
  });

  it('a tool with a field that tools do not have, before anything runs', () =>
    assert.throws(
      () => defineTool(untyped<Parameters<typeof defineTool>[0]>({ name: 'demo_echo', idempotant: true })),
      /tool "demo_echo": "idempotant" is not a field of defineTool\. Did you mean "idempotent"\?/,
    ));

  it('a scope, title or text that nothing can use, and a change by GET', async () => {
    const of = (init: object, message: RegExp) =>
      refuses(() => bootsTool(init), TOOL_PLACE, /defineTool|"POST"/, message);
    for (const scope of ['demo', 'Demo:read', 'demo:', ''])
      await of({ access: { ...access, scope, role: 'viewer' } }, /access\.scope must match/);
    await of({ title: ' ' }, /title must not be blank/);
    await of({ text: 'short' }, /text is not a function/);
    const http = { method: 'GET', path: '/v1/x', status: 200, bodyLimit: 1 };
    await of({ http, effect: 'create' }, /http\.method is GET, and its effect is "create"/);
  });

  it('a default that the schema of its argument refuses', async () => {
    for (const [schema, fault] of [
      [Type.Integer({ default: 0, minimum: 1 }), /the default of its argument "a" is below the least of 1/],
      [Type.Enum(['x', 'y'], { default: 'z' }), /is not one of x, y/],
      [Type.String({ default: 3, maxLength: 2 }), /is not of type string/],
      [Type.String({ default: 'long', maxLength: 2 }), /is above the most of 2/],
    ] as const) {
      const input = Type.Object({ a: { ...schema, description: 'A' } }, closed);
      await refuses(() => bootsTool({ inputSchema: input }), TOOL_PLACE, /Correct the schema/, fault);
    }
  });

  it('settings that read a variable of the service itself', () => {
    const size = Type.Integer({ description: 'Size', default: 1, 'x-env': 'SERVICE_PORT' });
    return refuses(
      ofPlugin({ config: defineConfig('demo', Type.Object({ size }, closed)) }),
      /settings of "demo"/,
      /x-env/,
      /size reads SERVICE_PORT/,
    );
  });

  it('a place that its arguments lack, where it has none', async () => {
    const tool = defineTool({
      name: 'demo_list',
      title: 'List',
      description: 'Lists.',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      effect: 'read',
      access: { scope: 'demo:read', in: 'workspace' },
      uses: {},
      handler: () => Promise.resolve({}),
    });
    await refuses(() => boots(demo([tool])), /tool "demo_list"/, /Add "workspace_id" to its arguments/);
  });
});
