import assert from 'node:assert/strict';
import { type CallContext, type Progress } from '@service-mcp/core';
import { callerWith, rejects, testHost, type TestHost, type UseOptions } from '@service-mcp/core/testing';
import help from '@service-mcp/plugin-help';
import workspaces from '@service-mcp/plugin-workspaces';
import { audited, misbehaving } from './misbehaving-plugin.js';

const META = ['tools_call_read', 'tools_call_write', 'tools_describe', 'tools_search'];
describe('contract.md 9: meta tools', () => {
  let host: TestHost;
  let workspaceId: string;
  const asked: Partial<CallContext> = { selection: { toolsets: ['meta'], readOnly: false } };
  before(async () => {
    host = await testHost({ plugins: [help, workspaces, misbehaving], workers: false });
    workspaceId = (await host.use<{ id: string }>('workspaces_create', { name: 'w' })).id;
  });
  after(() => host.stop());

  const use = <T = Record<string, unknown>>(tool: string, args: object = {}, options: UseOptions = {}) =>
    host.use<T>(tool, args, { ...asked, ...options });
  const read = async (name: string, args?: object, init?: UseOptions) =>
    (await use<{ result: Record<string, unknown> }>('tools_call_read', { name, arguments: args }, init))
      .result;
  const write = async (name: string, args?: object, init?: UseOptions) =>
    (await use<{ result: Record<string, unknown> }>('tools_call_write', { name, arguments: args }, init))
      .result;
  const find = async (query: string, init?: UseOptions) =>
    (await use<{ tools: Array<{ name: string }> }>('tools_search', { query }, init)).tools.map(
      ({ name }) => name,
    );

  it('are alone in a list that asks for them', async () => {
    const listed = await host.catalog.tools(host.call(asked));
    assert.deepEqual(
      listed.map(({ name }) => name),
      META,
    );
    const toolsets = (
      await host.use<{ toolsets: Array<{ id: string; tools: string[] }> }>('help', {
        action: 'toolsets',
      })
    ).toolsets;
    assert.deepEqual(toolsets.find(({ id }) => id === 'meta')?.tools, META);
  });

  it('find tools by their purpose, best first, each with a summary of one line', async () => {
    for (const [query, expected] of [
      ['read a file', 'files_read'],
      ['store the files of a repository', 'files_ingest'],
      ['which workspaces do I have', 'workspaces_list'],
      ['change the role of somebody', 'members_update'],
      ['is the project indexed yet', 'projects_index_status'],
      ['projects_delete', 'projects_delete'],
      ['forget a project', 'projects_delete'],
      ['edit a project', 'projects_update'],
      ['how do I remove somebody from a workspace', 'members_remove'],
      ['see a record of the projects', 'projects_list'],
    ] as const) {
      assert.equal((await find(query))[0], expected, query);
    }
    const { tools, total } = await use<{ tools: Array<Record<string, string>>; total: number }>(
      'tools_search',
      {
        query: 'file',
        limit: 2,
      },
    );
    assert.equal(tools.length, 2);
    assert.ok(total > 2);
    for (const tool of tools) {
      assert.deepEqual(Object.keys(tool), ['name', 'title', 'description', 'effect']);
      assert.ok((tool['description'] ?? '').length <= 160);
    }
  });

  it('name no tool that the caller may not use, nor themselves', async () => {
    const reader = { caller: callerWith({ scopes: ['workspaces:read'] }) };
    assert.ok(!(await find('create a workspace', reader)).includes('workspaces_create'));
    assert.ok((await find('list workspaces', reader)).includes('workspaces_list'));
    assert.ok(!(await find('rest', { surface: 'mcp' })).includes('odd_rest'));
    assert.ok(!(await find('tools search describe call')).some((name) => META.includes(name)));
    assert.ok(
      !(await find('create a workspace', { selection: { toolsets: ['meta'], readOnly: true } })).includes(
        'workspaces_create',
      ),
    );
  });

  it('list the domains when nothing matches', async () => {
    const answer = await use<{ total: number; hint?: string }>('tools_search', { query: 'zzzz' });
    assert.equal(answer.total, 0);
    assert.match(answer.hint ?? '', /files/);
  });

  it('describe tools whole, and say which they do not know', async () => {
    const { tools, unknown } = await use<{ tools: Array<Record<string, unknown>>; unknown: string[] }>(
      'tools_describe',
      { names: ['files_read', 'odd_ask', 'files_read', 'no_such_tool', 'tools_call_write'] },
    );
    assert.deepEqual(unknown, ['no_such_tool', 'tools_call_write']);
    assert.deepEqual(
      tools.map((tool) => [tool['name'], tool['call_with']]),
      [
        ['files_read', 'tools_call_read'],
        ['odd_ask', 'tools_call_write'],
      ],
    );
    const info = host.registry.allowed.find((one) => one.info.name === 'files_read')?.info;
    assert.deepEqual(tools[0]?.['input_schema'], info?.inputSchema);
    assert.deepEqual(tools[0]?.['output_schema'], info?.outputSchema);
  });

  it('return the answer of the tool', async () => {
    assert.deepEqual(await read('workspaces_list'), await host.use('workspaces_list'));
    const made = await write('projects_create', { name: 'through meta' });
    assert.deepEqual(await read('projects_get', { project_id: made['id'] }), made);
  });

  it('keep reading and writing apart, under former names too', async () => {
    await rejects(read('projects_create', { name: 'x' }), 'INVALID_ARGUMENT', /tools_call_write/);
    await rejects(write('projects_list'), 'INVALID_ARGUMENT', /tools_call_read/);
    await rejects(read('odd_former_ask'), 'UNKNOWN_TOOL', /read-only/);
    await rejects(
      write(
        'projects_create',
        { name: 'x' },
        { selection: { toolsets: ['tools_call_write'], readOnly: true } },
      ),
      'UNKNOWN_TOOL',
      /read-only/,
    );
  });

  it('do not call each other', async () => {
    for (const name of META) {
      await rejects(read(name), 'INVALID_ARGUMENT', /call it directly/);
      await rejects(write(name), 'INVALID_ARGUMENT', /call it directly/);
    }
  });

  it('fail as the tool fails, with its code and details', async () => {
    const viewer = await host.member(workspaceId, 'viewer');
    const nobody = '01890000-0000-7000-8000-000000000000';
    for (const [code, tool, args, options] of [
      ['NOT_FOUND', 'projects_get', { project_id: nobody }, {}],
      ['INVALID_ARGUMENT', 'projects_get', { project_id: 'a name', more: 1 }, {}],
      ['INVALID_ARGUMENT', 'projects_list', { per_page: 1000 }, {}],
      ['NOT_FOUND', 'workspaces_get', { workspace_id: workspaceId }, { as: callerWith() }],
      ['PERMISSION_DENIED', 'workspaces_list', {}, { as: callerWith({ scopes: ['odd:read'] }) }],
      ['PERMISSION_DENIED', 'projects_create', { name: 'x', workspace_id: workspaceId }, { as: viewer }],
      ['PERMISSION_DENIED', 'workspaces_create', { name: 'x' }, { as: callerWith({ workspaceId }) }],
      ['UNKNOWN_TOOL', 'no_such_tool', {}, {}],
    ] as const) {
      const direct = await rejects(host.use(tool, args, options), code);
      const through = tool.endsWith('_create') || tool === 'no_such_tool' ? write : read;
      const inner = await rejects(through(tool, args, options), code);
      assert.deepEqual(
        [inner.code, inner.message, inner.details],
        [direct.code, direct.message, direct.details],
      );
    }
    await rejects(read('odd_rest', {}, { surface: 'mcp' }), 'UNKNOWN_TOOL');
  });

  it('let a confined key write where it may', async () => {
    const key = await host.member(workspaceId, 'admin', { workspaceId });
    const made = await write('projects_create', { name: 'of a confined key' }, { as: key });
    assert.equal(made['workspace_id'], workspaceId);
  });

  it('audit the inner call under its own name, and repeat a creation for its Idempotency-Key', async () => {
    audited.length = 0;
    const again = { idempotencyKey: 'k1', caller: callerWith() };
    const first = await write('workspaces_create', { name: 'once' }, again);
    const replay = await write('workspaces_create', { name: 'once' }, again);
    assert.deepEqual(replay, first);
    await rejects(write('workspaces_create', { name: 'other' }, again), 'CONFLICT', /Idempotency-Key/);
    assert.deepEqual(
      audited.map(({ action, outcome }) => [action, outcome]),
      [
        ['workspaces_create', 'OK'],
        ['tools_call_write', 'OK'],
        ['workspaces_create', 'OK'],
        ['tools_call_write', 'OK'],
        ['workspaces_create', 'CONFLICT'],
        ['tools_call_write', 'CONFLICT'],
      ],
    );
  });

  it('pass progress, pictures, questions and answers', async () => {
    const told: Progress[] = [];
    const call = (init: Partial<CallContext>) => host.call({ ...asked, ...init });
    const said = await host.catalog.call(
      'tools_call_read',
      { name: 'odd_speak', arguments: { text: 'x' } },
      call({ progress: (progress) => told.push(progress) }),
    );
    assert.deepEqual(told, [{ progress: 1, total: 2 }]);
    assert.ok(said.kind === 'complete');
    assert.deepEqual(said.structured, { result: { text: 'x' } });
    assert.deepEqual(
      said.content?.map(({ type }) => type),
      ['image'],
    );
    const question = await host.catalog.call('tools_call_write', { name: 'odd_ask' }, call({}));
    assert.ok(question.kind === 'input_required');
    assert.equal(question.requests.length, 1);
    const answers = { name: { full: 'Ann' } };
    const answered = await write('odd_ask', {}, { answers });
    assert.deepEqual(answered, { answer: '{"action":"accept","content":{"full":"Ann"}} to kept' });
    // The state of one tool is not valid for another, whichever tool calls it.
    const given = call({ answers, answersTo: question.state });
    for (const name of ['odd_former_ask', 'projects_create'])
      await rejects(
        host.catalog.call('tools_call_write', { name }, given),
        'INVALID_ARGUMENT',
        /another tool/,
      );
  });

  it('hand on answers to a question without a state', async () => {
    const call = host.call({ ...asked, answers: { name: 'Ann' } });
    const said = await host.catalog.call('tools_call_write', { name: 'odd_ask' }, call);
    assert.ok(said.kind === 'complete');
    assert.deepEqual(said.structured, { result: { answer: '"Ann" to nothing' } });
  });

  it('pass text through unchanged, for the tool to validate', async () => {
    const project = await write('projects_create', { name: 'raw', workspace_id: workspaceId });
    const report = await write('files_ingest', {
      project_id: project['id'],
      files: [
        { path: 'bin', content: 'a\0b' },
        { path: 'ok', content: 'text' },
      ],
    });
    assert.deepEqual(
      [report['changed'], report['rejected']],
      [1, [{ path: 'bin', reason: 'the file is binary' }]],
    );
    await rejects(read('projects_get', { project_id: '\0' }), 'INVALID_ARGUMENT', /NUL/);
  });

  it('refuse malformed arguments', async () => {
    await rejects(use('tools_call_read', { name: 'help', arguments: [] }), 'INVALID_ARGUMENT', /arguments/);
    await rejects(use('tools_call_read', { name: '../help' }), 'INVALID_ARGUMENT', /name/);
    await rejects(use('tools_call_read', {}), 'INVALID_ARGUMENT', /name/);
    await rejects(use('tools_search', { query: 'x'.repeat(501) }), 'INVALID_ARGUMENT', /query/);
    await rejects(use('tools_describe', { names: [] }), 'INVALID_ARGUMENT', /names/);
  });
});
