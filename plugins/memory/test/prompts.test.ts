import assert from 'node:assert/strict';
import { isInputRequired, type CallContext, type Caller } from '@service-mcp/core';
import { callerWith, eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import help from '@service-mcp/plugin-help';
import { newWorkspace, startMemory, storeEvent } from './start-memory.js';

const NAMES = ['hand_over_session', 'record_decision', 'review_knowledge'];

eachDatabase((fresh) => {
  describe('prompts of memory', () => {
    let host: TestHost;
    let workspace_id: string;
    let project_id: string;
    before(async () => {
      host = await startMemory(await fresh(), { workers: false, plugins: [help] });
      workspace_id = await newWorkspace(host);
      project_id = (await host.use<{ id: string }>('projects_create', { workspace_id, name: 'Lamp' })).id;
    });
    after(() => host.stop());

    const render = async (name: string, args: Record<string, string>, init: Partial<CallContext> = {}) => {
      const messages = await host.catalog.prompt(name, args, host.call(init));
      assert.ok(!isInputRequired(messages));
      const [message] = messages;
      assert.ok(messages.length === 1 && message?.role === 'user' && message.content.type === 'text');
      return message.content.text;
    };
    const argumentsOf = (name: string): Record<string, string> => ({
      project_id,
      ...(name === 'record_decision' && { decision: 'Bells, because fog hides lamps.' }),
      ...(name === 'review_knowledge' && { topic: 'How are ships warned?' }),
      ...(name === 'hand_over_session' && { session_id: 'session-7' }),
    });

    it('are listed for callers with access', async () => {
      const names = async (caller: Caller) =>
        (await host.catalog.prompts(host.call({ caller })))
          .map(({ name }) => name)
          .filter((name) => NAMES.includes(name))
          .sort();
      assert.deepEqual(await names(host.call().caller), NAMES);
      assert.deepEqual(await names(callerWith({ scopes: ['memory:read'] })), ['review_knowledge']);
    });

    it('hold the arguments and the project, and name only tools that the caller has', async () => {
      for (const name of NAMES) {
        for (const init of [
          {},
          { selection: { toolsets: ['standard'], readOnly: false } },
          { selection: { toolsets: ['light'], readOnly: true } },
        ] satisfies Partial<CallContext>[]) {
          const text = await render(name, argumentsOf(name), init);
          const listed = new Set((await host.catalog.tools(host.call(init))).map((tool) => tool.name));
          const named = text.match(/\b(?:memory|search|tools)_[a-z_]+/g) ?? [];
          assert.deepEqual(
            named.filter((tool) => !listed.has(tool)),
            [],
            `${name} ${JSON.stringify(init)}`,
          );
        }
        const text = await render(name, argumentsOf(name));
        assert.ok(text.includes(`project_id ${project_id}, workspace_id ${workspace_id}`), text);
        for (const value of Object.values(argumentsOf(name))) assert.ok(text.includes(value), value);
      }
      assert.match(await render('record_decision', argumentsOf('record_decision')), /memory_supersede_node/);
      const meta = { selection: { toolsets: ['meta'], readOnly: false } };
      const through = await render('record_decision', argumentsOf('record_decision'), meta);
      assert.match(through, /memory_create_node.*\n(?:.*\n)*.*through tools_call_read, or tools_call_write/);
    });

    it('hand over the events of the session', async () => {
      const at = (minute: number) => ({
        workspace_id,
        session_id: 'session-7',
        title: `Step ${minute}`,
        content: 'Done.',
        occurred_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      });
      for (let minute = 0; minute < 25; minute++) await storeEvent(host, at(minute));
      const text = await render('hand_over_session', { session_id: 'session-7' });
      assert.match(text, /newest first:\n- 2026-01-01 note: Step 24 \(id [0-9a-f-]{36}\)\n/);
      assert.match(text, /Step 5 .*\n- and 5 before them\n/);
      assert.ok(!(await render('hand_over_session', {})).includes('Step'));
      const elsewhere = await newWorkspace(host);
      const before = { title: 'Elsewhere', occurred_at: '2020-01-01T00:00:00Z' };
      await storeEvent(host, { ...at(0), ...before, workspace_id: elsewhere });
      const own = await render('hand_over_session', { session_id: 'session-7' });
      assert.ok(own.includes(`in the workspace with workspace_id ${workspace_id}, the newest first`), own);
      assert.match(own, /and 5 before them/);
      const stranger = { caller: callerWith() };
      assert.ok(!(await render('hand_over_session', { session_id: 'session-7' }, stranger)).includes('Step'));
    });

    it('show no event, and no session, to a credential that may only write', async () => {
      const session_id = 'written-only';
      await storeEvent(host, { workspace_id, session_id, title: 'Step 1', content: 'Done.' });
      const caller = { ...host.call().caller, scopes: ['memory:write'] };
      const text = await render('hand_over_session', { session_id }, { caller });
      assert.match(text, /Hand this session over/);
      assert.doesNotMatch(text, /Step 1/);
      const sessions = (as: Caller) =>
        host.catalog.complete(
          { prompt: 'hand_over_session' },
          { name: 'session_id', value: session_id },
          host.call({ caller: as }),
        );
      assert.deepEqual(await sessions(caller), []);
      assert.deepEqual(await sessions(host.call().caller), [session_id]);
    });

    it('are refused for an invisible project and invalid arguments', async () => {
      for (const name of NAMES) {
        await rejects(
          render(name, argumentsOf(name), { caller: callerWith() }),
          'NOT_FOUND',
          /projects_list/,
        );
        for (const id of ['\0', '\ud800', 'x'.repeat(100_000)])
          await rejects(render(name, { ...argumentsOf(name), project_id: id }), 'NOT_FOUND');
      }
      await rejects(render('record_decision', {}), 'INVALID_ARGUMENT', /decision/);
      await rejects(render('record_decision', { decision: ' ' }), 'INVALID_ARGUMENT', /blank/);
      await rejects(render('review_knowledge', { topic: 'x'.repeat(4001) }), 'INVALID_ARGUMENT', /4000/);
      for (const session_id of ['\0', '\ud800', 'x'.repeat(201)])
        await rejects(render('hand_over_session', { session_id }), 'INVALID_ARGUMENT', /session_id/);
    });

    it('complete projects and sessions', async () => {
      const event = { workspace_id, title: 'x', content: 'x' };
      const occurred_at = '2026-06-01T00:00:00Z';
      await storeEvent(host, { ...event, session_id: 'session-8', project_id, occurred_at });
      await storeEvent(host, { ...event, session_id: 'other' });
      const complete = (
        prompt: string,
        name: string,
        value: string,
        more: { as?: Caller; others?: object } = {},
      ) =>
        host.catalog.complete(
          { prompt },
          { name, value, others: { ...more.others } },
          host.call(more.as ? { caller: more.as } : {}),
        );
      for (const name of NAMES) assert.deepEqual(await complete(name, 'project_id', 'la'), [project_id]);
      const sessions = (value: string, more = {}) => complete('hand_over_session', 'session_id', value, more);
      assert.deepEqual(await sessions('session'), ['session-8', 'session-7']);
      assert.deepEqual(await sessions('session', { others: { project_id } }), ['session-8']);
      assert.deepEqual(await sessions('session', { as: callerWith() }), []);
      for (const value of ['%', '\0', '\ud800', 'x'.repeat(100_000)])
        assert.deepEqual(await sessions(value), []);
      assert.deepEqual(await complete('record_decision', 'decision', ''), []);
    });
  });
});
