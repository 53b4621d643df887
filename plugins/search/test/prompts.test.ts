import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  closed,
  definePlugin,
  defineTool,
  isInputRequired,
  type CallContext,
  type Caller,
} from '@service-mcp/core';
import { callerWith, eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import search from '@service-mcp/plugin-search';
import { FileChanges } from '@service-mcp/plugin-workspaces/contract';

const NAMES = ['explain_code', 'review_project', 'start_task'];

const tool = (name: string, level: 'optional' | 'light') =>
  defineTool({
    name,
    title: 'For tests',
    description: 'Fails whatever is pending.',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    effect: 'update',
    level,
    access: { scope: 'probe:write', in: 'deployment' },
    uses: { changes: FileChanges },
    async handler(_input, { changes }) {
      const queue = changes.for('search');
      const files = await queue.claim({ limit: 1000, maxBytes: 1e9 });
      await queue.settle(
        files.map(({ id, revision }) => ({
          id,
          revision,
          status: 'failed',
          error: 'it is broken',
          permanent: true,
        })),
      );
      return {};
    },
  });

/** A tool that fails files, and one named like the tool that calls others. */
const probe = definePlugin({
  id: 'probe',
  description: 'For tests.',
  api: '^1',
  toolsets: [
    { id: 'probe', description: 'For tests.', tools: [tool('probe_fail', 'light')] },
    {
      id: 'through',
      prefix: 'tools',
      description: 'For tests.',
      tools: [tool('tools_call_read', 'optional')],
    },
  ],
});

eachDatabase((fresh) => {
  describe('prompts', () => {
    let host: TestHost;
    let projectId: string;
    let workspaceId: string;
    before(async () => {
      host = await testHost({
        plugins: [syntax, workspaces, search, probe],
        database: await fresh(),
        config: { toolsets: { exclude: ['search_keyword'] } },
        workers: false,
      });
      workspaceId = (await host.use<{ id: string }>('workspaces_create', { name: 'w' })).id;
      projectId = (await host.use<{ id: string }>('projects_create', { name: 'Lamp "1"' })).id;
    });
    after(() => host.stop());

    const render = async (name: string, args: Record<string, string>, init: Partial<CallContext> = {}) => {
      const messages = await host.catalog.prompt(name, args, host.call(init));
      assert.ok(!isInputRequired(messages));
      assert.equal(messages.length, 1);
      const [message] = messages;
      assert.ok(message?.role === 'user' && message.content.type === 'text');
      return message.content.text;
    };
    const argumentsOf = (name: string): Record<string, string> => ({
      project_id: projectId,
      ...(name === 'start_task' && { task: 'Dim the lamp' }),
      ...(name === 'explain_code' && { question: 'How does the lamp dim?' }),
    });
    const named = (text: string) =>
      new Set(text.match(/\b(?:search|files|projects|workspaces|tools|members)_[a-z_]+/g));

    it('are listed with their arguments for callers with access', async () => {
      const prompts = await host.catalog.prompts(host.call());
      assert.deepEqual(prompts.map(({ name }) => name).sort(), NAMES);
      const none = await host.catalog.prompts(host.call({ caller: callerWith({ scopes: ['memory:read'] }) }));
      assert.deepEqual(none, []);
    });

    it('name only tools that the caller has, by exclusion, selection and scope', async () => {
      for (const name of NAMES) {
        for (const init of [
          {},
          { selection: { toolsets: ['standard'], readOnly: false } },
          { selection: { toolsets: ['light'], readOnly: true } },
          { selection: { toolsets: ['files'], readOnly: true } },
        ] satisfies Partial<CallContext>[]) {
          const text = await render(name, argumentsOf(name), init);
          const listed = new Set((await host.catalog.tools(host.call(init))).map((info) => info.name));
          const strange = [...named(text)].filter((word) => !listed.has(word));
          assert.deepEqual(strange, [], `${name} ${JSON.stringify(init)}`);
        }
        const all = await render(name, argumentsOf(name));
        assert.ok(all.includes('search_pattern') && !all.includes('search_keyword'), all);
      }
    });

    it('name the others for callers of a meta tool', async () => {
      const text = await render('start_task', argumentsOf('start_task'), {
        selection: { toolsets: ['through'], readOnly: false },
      });
      assert.match(text, /search_hybrid/);
      assert.match(text, /through tools_call_read/);
    });

    it('hold the typed arguments, and the ids of the project', async () => {
      const text = await render('start_task', argumentsOf('start_task'));
      assert.ok(
        text.includes('Dim the lamp') && text.includes(projectId) && text.includes(workspaceId),
        text,
      );
      assert.ok(!text.includes('projects_list'), 'the project is chosen');
      assert.match(await render('start_task', { task: 'x' }), /1\. Call projects_list/);
    });

    it('review a project by its current state', async () => {
      assert.match(await render('review_project', { project_id: projectId }), /Nothing was ever stored/);
      const files = Array.from({ length: 25 }, (_, i) => ({
        path: `src/${String(i).padStart(2, '0')}.ts`,
        content: 'x',
      }));
      await host.use('files_ingest', { project_id: projectId, files });
      assert.match(
        await render('review_project', { project_id: projectId }),
        /being indexed now\. .*25 pending/,
      );
      await host.use('probe_fail');
      const text = await render('review_project', { project_id: projectId });
      assert.match(text, /0 files indexed, 0 pending, 25 failed/);
      assert.match(text, /- "src\/00\.ts": it is broken/);
      assert.match(text, /- and 5 more/);
      assert.match(text, /Files by language: typescript 25\./);
    });

    it('are refused for an invisible project, and for an invalid argument', async () => {
      const stranger = { caller: callerWith() };
      for (const name of NAMES) {
        await rejects(render(name, argumentsOf(name), stranger), 'NOT_FOUND', /projects_list/);
        for (const id of ['\0', '\ud800', 'x'.repeat(100_000), projectId.toUpperCase()]) {
          await rejects(render(name, { ...argumentsOf(name), project_id: id }), 'NOT_FOUND', /^.{1,300}$/);
        }
      }
      await rejects(render('start_task', {}), 'INVALID_ARGUMENT', /task/);
      await rejects(render('start_task', { task: '  ' }), 'INVALID_ARGUMENT', /blank/);
      await rejects(render('explain_code', { question: 'x'.repeat(4001) }), 'INVALID_ARGUMENT', /4000/);
      await rejects(render('review_project', {}), 'INVALID_ARGUMENT', /project_id/);
      await rejects(render('review_project', { project_id: '' }), 'NOT_FOUND', /projects_list/);
    });

    it('complete visible projects by id and name', async () => {
      const complete = (prompt: string, name: string, value: string, caller: Caller = host.call().caller) =>
        host.catalog.complete({ prompt }, { name, value }, host.call({ caller }));
      for (const name of NAMES) {
        assert.deepEqual(await complete(name, 'project_id', ''), [projectId]);
        assert.deepEqual(await complete(name, 'project_id', 'LAMP'), [projectId]);
        assert.deepEqual(await complete(name, 'project_id', 'zzz'), []);
        assert.deepEqual(await complete(name, 'project_id', '\0'), []);
        assert.deepEqual(await complete(name, 'project_id', '', callerWith()), []);
        assert.deepEqual(await complete(name, 'task', ''), []);
      }
    });
  });
});
