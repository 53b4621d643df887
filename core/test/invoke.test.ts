import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  CallAdmission,
  ServiceError,
  closed,
  content,
  defineTool,
  inputRequired,
  provide,
  provideForCall,
  token,
  type Selection,
} from '@service-mcp/core';
import { callerWith, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const Twin = token<{ caller: string }>('demo.Twin');
const Once = token<{ built: number }>('demo.Once');
let built = 0;
let runs = 0;

const tools = [
  echo({ aliases: ['demo_say'] }),
  echo({ name: 'demo_write', effect: 'create', level: 'light' }),
  echo({ name: 'demo_standard', level: 'standard' }),
  echo({ name: 'demo_rest_only', surfaces: ['rest'] }),
  echo({
    name: 'demo_when',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', format: 'date-time', description: 'When' } },
      additionalProperties: false,
    },
  }),
  echo({ name: 'demo_lies', handler: () => Promise.resolve({ text: 3 }) }),
  echo({ name: 'demo_throws', handler: () => Promise.reject(new Error('SELECT secret FROM /etc/passwd')) }),
  echo({
    name: 'demo_runs',
    effect: 'create',
    handler: () => Promise.resolve({ text: String((runs += 1)) }),
  }),
  echo({ name: 'demo_hangs', handler: () => new Promise(() => undefined) }),
  echo({
    name: 'demo_pictures',
    handler: () =>
      Promise.resolve(content({ text: 'x' }, [{ type: 'image', data: 'AA==', mimeType: 'image/png' }])),
  }),
  echo({
    name: 'demo_asks',
    handler: () =>
      Promise.resolve(
        inputRequired([{ name: 'sure', message: 'Sure?', schema: { type: 'object' } }], {
          state: 's',
          instead: 'sure',
        }),
      ),
  }),
  defineTool({
    name: 'demo_who',
    title: 'Who',
    description: 'Tells who calls.',
    input: Type.Object({}, closed),
    output: Type.Object({ caller: Type.String(), same: Type.Boolean(), built: Type.Integer() }, closed),
    effect: 'read',
    access: { scope: 'demo:read', in: 'deployment' },
    uses: { twin: Twin, once: Once },
    handler: async (_input, { twin, once }, call) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return { caller: twin.caller, same: twin.caller === call.caller.userId, built: once.built };
    },
  }),
];

describe('invoke', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({
      plugins: [
        demo(tools, {
          services: [
            provideForCall(Twin, {
              uses: { admission: CallAdmission },
              create: ({ admission }) => ({ caller: admission.caller.userId }),
            }),
            provide(Once, { uses: {}, create: () => ({ built: ++built }) }),
          ],
        }),
      ],
      config: { toolsets: { exclude: ['demo_pictures'] } },
    });
  });
  after(() => host.stop());

  const selecting = (...toolsets: string[]): { selection: Selection } => ({
    selection: { toolsets, readOnly: false },
  });

  it('fills defaults, checks arguments and names the field', async () => {
    assert.deepEqual(await host.use('demo_echo'), { text: 'hello' });
    await rejects(host.use('demo_echo', { text: 3 }), 'INVALID_ARGUMENT', /^text: must be string/);
    await rejects(
      host.use('demo_echo', { txt: 'x' }),
      'INVALID_ARGUMENT',
      /txt: is not a known field. Did you mean "text"/,
    );
    await rejects(
      host.use('demo_echo', { text: 'x'.repeat(101) }),
      'INVALID_ARGUMENT',
      /^text: must have at most 100 characters$/,
    );
    await rejects(host.use('demo_echo', { text: 'a\0b' }), 'INVALID_ARGUMENT', /text: .*NUL/);
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    await rejects(host.use('demo_echo', { text: deep }), 'INVALID_ARGUMENT', /deeper than 64 levels/);
    await rejects(host.use('demo_echo', { text: 'a\ud800' }), 'INVALID_ARGUMENT', /Unicode/);
    await rejects(
      host.use('demo_echo', JSON.parse('{"__proto__": 1}') as object),
      'INVALID_ARGUMENT',
      /__proto__/,
    );
    for (const args of [[], 'text', 3])
      await rejects(host.catalog.call('demo_echo', args, host.call()), 'INVALID_ARGUMENT', /object/);
  });

  it('takes times that a Date holds and no others', async () => {
    for (const text of ['2026-01-31T00:00:00Z', '0001-01-01T00:00:00.5+01:00', '2024-02-29T23:59:59Z'])
      assert.deepEqual(await host.use('demo_when', { text }), { text });
    for (const text of [
      '2016-12-31T23:59:60Z',
      '9999-12-31T23:59:00-10:00',
      '0000-01-01T00:00:00+10:00',
      '2026-02-30T00:00:00Z',
      '2026-01-31',
    ])
      await rejects(host.use('demo_when', { text }), 'INVALID_ARGUMENT', /^text: must be an RFC 3339 time/);
  });

  it('answers to an alias', async () => assert.deepEqual(await host.use('demo_say'), { text: 'hello' }));

  it('refuses a tool that is unknown, excluded, on another surface, outside the selection or out of scope', async () => {
    await rejects(host.use('demo_ecko'), 'UNKNOWN_TOOL', /Did you mean "demo_echo"/);
    await rejects(host.use('demo_pictures'), 'UNKNOWN_TOOL');
    await rejects(host.use('demo_rest_only'), 'UNKNOWN_TOOL', /not served on this surface, only by REST/);
    await rejects(host.use('demo_echo', {}, selecting('standard')), 'UNKNOWN_TOOL', /X-Service-Toolset/);
    await rejects(
      host.use('demo_write', {}, { selection: { toolsets: ['complete'], readOnly: true } }),
      'UNKNOWN_TOOL',
      /read-only/,
    );
    await rejects(
      host.use('demo_echo', {}, { caller: callerWith({ scopes: ['other:read'] }) }),
      'PERMISSION_DENIED',
      /demo:read/,
    );
    await host.use('demo_echo', {}, { caller: callerWith({ scopes: ['mcp:read'] }) });
  });

  it('lists by level, toolset, name, surface and scope, sorted', async () => {
    const names = async (init: object) =>
      (await host.catalog.tools(host.call(init))).map((tool) => tool.name);
    assert.deepEqual(await names(selecting('light')), ['demo_write']);
    assert.deepEqual(await names(selecting('standard')), ['demo_standard', 'demo_write']);
    assert.deepEqual(await names(selecting('demo_echo')), ['demo_echo']);
    assert.equal((await names(selecting('demo'))).length, tools.length - 2);
    assert.ok((await names({ surface: 'rest' })).includes('demo_rest_only'));
    assert.deepEqual(await names({ caller: callerWith({ scopes: [] }) }), []);
  });

  it('never blames the caller for a wrong output, nor shows a foreign error', async () => {
    await rejects(host.use('demo_lies'), 'INTERNAL', /^The service failed/);
    const lied = { details: { request_id: 'r-1' } };
    await assert.rejects(host.use('demo_lies', {}, { requestId: 'r-1' }), lied);
    await rejects(host.use('demo_throws'), 'INTERNAL', /^The service failed/);
  });

  it('fails at the deadline and on cancellation', async () => {
    await rejects(host.use('demo_hangs', {}, { signal: AbortSignal.timeout(20) }), 'DEADLINE_EXCEEDED');
    const gone = new AbortController();
    gone.abort(new ServiceError('UNAVAILABLE', 'stopping'));
    await rejects(host.use('demo_hangs', {}, { signal: gone.signal }), 'UNAVAILABLE', /stopping/);
  });

  it('does not begin once its time is over', async () => {
    const [before, over] = [runs, { deadline: Date.now() - 1 }];
    await rejects(host.use('demo_runs', {}, over), 'DEADLINE_EXCEEDED', /nothing was done/);
    assert.equal(runs, before);
  });

  it('carries a question to the client', async () => {
    const result = await host.catalog.call('demo_asks', {}, host.call());
    assert.deepEqual(result, {
      kind: 'input_required',
      requests: [{ name: 'sure', message: 'Sure?', schema: { type: 'object' } }],
      state: 's',
      instead: 'sure',
    });
  });

  it('builds call-scoped services for each caller, others once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => host.use('demo_who', {}, { caller: callerWith() })),
    );
    assert.equal(new Set(answers.map((answer) => answer['caller'])).size, 50);
    assert.ok(answers.every((answer) => answer['same'] && answer['built'] === 1));
  });

  it('counts calls by outcome, without inventing labels', async () => {
    await host.use('demo_echo');
    await rejects(host.use('no_such_tool'), 'UNKNOWN_TOOL');
    const served = await testHost({ plugins: [demo([echo()])], listen: true });
    await served.use('demo_echo');
    await rejects(served.use('no_such_tool'), 'UNKNOWN_TOOL');
    const text = await (await fetch(`${served.url}/metrics`)).text();
    assert.match(text, /calls_total\{tool="demo_echo",surface="cli",code="OK"\} 1/);
    assert.match(text, /calls_total\{tool="unknown",surface="cli",code="UNKNOWN_TOOL"\} 1/);
    assert.match(text, /duration_seconds_count\{tool="demo_echo",surface="cli"\} 1/);
    assert.doesNotMatch(text, /no_such_tool/);
    await served.stop();
  });
});
