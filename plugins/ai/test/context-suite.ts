import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { completeResult } from '@service-mcp/core/wire';
import {
  callerWith,
  onDatabase,
  rejects,
  testHost,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import { openTokenizer } from '@service-mcp/plugin-ai/internals';
import fc from 'fast-check';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';
import { FILES, LONG, NODES, type Answer, type Orientation } from './support/uploads.js';

/** Context that fits a budget, on one engine: the plugin asks other plugins, whose statements are tested on both. PostgreSQL runs with the long tests. */
export function contextSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('context that fits a budget', () => {
      let host: TestHost;
      let workspace_id: string;
      let project_id: string;
      before(async () => {
        host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh(), workers: true });
        ({ workspace_id, project_id } = await fillWorkspace(host, FILES, NODES));
      });
      after(() => host.stop());

      const context = (more: object = {}) =>
        host.use<Answer>('ai_context', { workspace_id, query: 'retry an upload', ...more });
      const enhanced = (more: object = {}) =>
        host.use<Answer>('ai_enhanced_context', { workspace_id, query: 'retry an upload', ...more });

      it('takes whole functions and documents, without tests, and says where they are and why', async () => {
        const { context: text, sections, token_estimate, tokenizer, budget, index } = await context();
        const first = sections.find(({ kind, tokens }) => kind === 'code' && tokens > 100);
        assert.deepEqual([first?.path, first?.start_line, first?.end_line], ['src/upload.ts', 2, 86]);
        assert.ok(
          text.includes(LONG.slice(LONG.indexOf('/**')).trimEnd()),
          'a function that is longer than a chunk is whole',
        );
        assert.match(first?.reason ?? '', /words/);
        assert.ok(sections.some(({ path, kind }) => path === 'docs/upload.md' && kind === 'doc'));
        assert.ok(!sections.some(({ path }) => path?.startsWith('test/')));
        assert.ok(!sections.some(({ path }) => path === 'docs/index.md'), 'a heading alone tells nothing');
        assert.deepEqual([tokenizer, budget.max, budget.used], ['cl100k_base', 4000, token_estimate]);
        assert.equal(index.state, 'ready');
        const withTests = await context({ include_tests: true });
        assert.ok(withTests.sections.some(({ path }) => path === 'test/upload.test.ts'));
        const docs = await context({ include: ['docs'] });
        assert.deepEqual(new Set(docs.sections.map(({ kind }) => kind)), new Set(['doc']));
      });

      it('adds what the found code calls, from the graph', async () => {
        const { sections, context: text } = await context();
        const near = sections.find(({ kind }) => kind === 'graph');
        assert.deepEqual([near?.path, near?.reason], ['src/finish.ts', 'used by src/upload.ts#retryUpload']);
        assert.ok(text.includes('blue-green'));
        const alone = await context({ include: ['graph'] });
        assert.deepEqual(
          alone.sections.map(({ path }) => path),
          ['src/finish.ts'],
        );
        const without = await context({ include: ['code', 'docs'] });
        assert.ok(!without.sections.some(({ kind }) => kind === 'graph'));
      });

      it('shows the callers of a function first where the question asks for them', async () => {
        const { sections } = await context({ query: 'Who calls closeTicket?' });
        const caller = sections.find(({ kind }) => kind === 'graph');
        assert.deepEqual(
          [caller?.path, caller?.start_line, caller?.end_line, caller?.reason],
          ['src/upload.ts', 77, 86, 'uses src/finish.ts#closeTicket'],
        );
        const graphOf = async (query: string) => {
          const answer = await context({ query });
          return answer.sections.flatMap(({ kind, reason }) => (kind === 'graph' ? [reason] : []));
        };
        const users = ['uses src/finish.ts#closeTicket'];
        assert.deepEqual(await graphOf('where is `closeTicket` used?'), users);
        assert.deepEqual(await graphOf('callers of the function closeTicket'), users);
        assert.deepEqual(await graphOf('List the callers of closeTicket.'), users);
        assert.ok(!(await graphOf('what does closeTicket call')).includes('uses src/finish.ts#closeTicket'));
      });

      it('shortens to whole lines, and never exceeds the budget', async () => {
        for (const max_tokens of [100, 200, 400]) {
          for (const format of ['markdown', 'xml', 'json']) {
            const { token_estimate, sections, budget } = await context({ max_tokens, format });
            assert.ok(token_estimate <= max_tokens && sections.length > 0);
            assert.ok(budget.dropped > 0 || sections.some(({ reason }) => reason.includes('shortened')));
          }
        }
        const { context: text } = await context({ format: 'json' });
        const paths = (JSON.parse(text) as Array<{ path: string }>).map(({ path }) => path);
        assert.ok(paths.includes('src/upload.ts'));
      });

      it('shortens around the function that is asked for, not around the first place that calls it', async () => {
        const { context: text } = await context({ query: 'roundHalf', max_tokens: 100, include: ['code'] });
        assert.match(text, /src\/sums\.ts:\d+-15 \(shortened\)[^]*Math\.round\(price \* 2\) \/ 2;/);
      });

      it('is the same for the same index', async () => {
        const [a, b] = [await enhanced(), await enhanced()];
        assert.deepEqual({ ...a, took_ms: 0 }, { ...b, took_ms: 0 });
      });

      it('has decisions before code where memory is asked for', async () => {
        const { sections, context: text } = await enhanced();
        assert.equal(sections[0]?.kind, 'decision');
        assert.ok(text.includes('instead of resuming it'));
        assert.ok(sections.some(({ path }) => path === 'src/upload.ts'));
        assert.ok(!(await enhanced({ include_memory: false })).sections.some(({ id }) => id !== undefined));
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'workspaces:read'] });
        const narrow = await host.use<Answer>(
          'ai_enhanced_context',
          { workspace_id, query: 'retry an upload' },
          { as },
        );
        assert.ok(!narrow.sections.some(({ id }) => id !== undefined));
        assert.match(narrow.warnings.join(), /memory:read/);
        const past = await enhanced({ as_of: '2020-01-01T00:00:00Z' });
        assert.ok(!past.sections.some(({ kind }) => kind === 'decision'));
        assert.match(past.warnings.join(), /what memory knew at that time/);
      });

      it('adds what happened last, in the conversation where one is named', async () => {
        const say = (title: string, more: object) =>
          host.use('memory_create_event', {
            workspace_id,
            event_type: 'note',
            title,
            content: title,
            ...more,
          });
        await say('Penguins came by', { session_id: 'zoo' });
        await say('The canteen closes early', {});
        const titles = async (more: object) =>
          (await enhanced(more)).sections
            .filter(({ reason }) => reason.startsWith('recent'))
            .map(({ title, reason }) => [title, reason.replace(/, .*/, '')]);
        assert.deepEqual(await titles({ session_id: 'zoo' }), [
          ['Penguins came by', 'recent note of this conversation'],
        ]);
        assert.deepEqual(await titles({ session_id: 'nobody' }), []);
        assert.deepEqual(await titles({ as_of: '2020-01-01T00:00:00Z' }), []);
        assert.deepEqual(
          (await titles({})).map(([title]) => title),
          ['The canteen closes early', 'Penguins came by'],
        );
        const written = async (format: string) => (await enhanced({ format })).context;
        assert.match(await written('markdown'), /^### recent memory of [\d-]{10}: The canteen closes/m);
        assert.match(
          await written('xml'),
          /<section kind="memory" recent="true" date="[\d-]{10}" id="[^"]*" title="The canteen closes early">/,
        );
        assert.match(
          await written('json'),
          /"kind":"memory","recent":true,"date":"[\d-]{10}","title":"The canteen closes early"/,
        );
        assert.match(await written('markdown'), /^### decision of \d{4}-\d\d-\d\d: /m);
        const yesterday = new Date(Date.now() - 86_400_000).toISOString();
        await say('The canteen was full', { occurred_at: yesterday });
        assert.deepEqual(await titles({ query: 'what happened yesterday' }), []);
        const { sections } = await enhanced({ query: 'what is the latest of yesterday' });
        assert.deepEqual(
          sections.map(({ title }) => title),
          ['The canteen was full'],
          'files tell nothing of a day',
        );
        await say('The canteen was closed', { occurred_at: yesterday, content: 'For good. '.repeat(16) });
        const both = await enhanced({ query: 'what is the latest of yesterday', max_tokens: 220 });
        assert.equal(both.sections.length, 2, 'the whole budget is for what happened');
      });

      it('leaves out what is not about the query, of memory and of files', async () => {
        const { sections } = await enhanced({ query: 'stamp blue-green' });
        assert.ok(sections.some(({ path }) => path === 'src/finish.ts'));
        const { sections: ofCode } = await context({ query: 'closeTicket stamp', include: ['code', 'docs'] });
        assert.deepEqual(
          new Set(ofCode.map(({ path }) => path)),
          new Set(['src/finish.ts', 'src/upload.ts']),
        );
        assert.ok(!sections.some(({ kind }) => kind === 'decision'));
      });

      it('leaves memory of other projects out, and keeps what holds for all', async () => {
        const node = (title: string, more: object) =>
          host.use('memory_create_node', {
            workspace_id,
            node_type: 'lesson',
            title,
            content: title,
            ...more,
          });
        const other = await host.use<{ id: string }>('projects_create', { workspace_id, name: 'Other' });
        await node('Retry an upload after a timeout', { project_id });
        await node('Retry an upload by hand', { project_id: other.id });
        while (!(await enhanced()).context.includes('by hand'))
          await new Promise((resolve) => setTimeout(resolve, 50));
        const { context: text } = await enhanced({ project_id });
        assert.ok(text.includes('after a timeout') && text.includes('instead of resuming it'));
        assert.ok(!text.includes('by hand'));
        await host.use('projects_delete', { project_id: other.id });
      });

      it('never exceeds the budget of a request', async () => {
        const words = ['retry', 'upload', 'closeTicket', 'the', 'logo', '\u{1F980}', '<|endoftext|>', '"x"'];
        const request = fc.record(
          {
            query: fc
              .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
              .map((some) => some.join(' ')),
            max_tokens: fc.integer({ min: 100, max: 2000 }),
            max_sections: fc.integer({ min: 1, max: 20 }),
            format: fc.constantFrom('markdown', 'xml', 'json'),
            include: fc.subarray(['code', 'docs', 'graph'], { minLength: 1 }),
            include_tests: fc.boolean(),
            include_memory: fc.boolean(),
          },
          { requiredKeys: ['query', 'max_tokens'] },
        );
        const tokenizer = await openTokenizer();
        await fc.assert(
          fc.asyncProperty(request, async (asked) => {
            const { context: text, token_estimate, budget, sections } = await enhanced(asked);
            assert.equal(tokenizer.count(text), token_estimate);
            assert.ok(token_estimate <= asked.max_tokens && budget.max === asked.max_tokens);
            assert.ok(sections.length <= (asked.max_sections ?? 50));
          }),
          { numRuns: 30 },
        );
      });

      it('is well formed where nothing was found, in each format', async () => {
        const written = { markdown: '', xml: '<context></context>', json: '[]' };
        for (const [format, expected] of Object.entries(written)) {
          const {
            context: text,
            sections,
            token_estimate,
            budget,
          } = await context({
            query: 'zzqx'.repeat(20),
            format,
            include: ['graph'],
          });
          assert.deepEqual([text, sections], [expected, []]);
          assert.ok(token_estimate === budget.used && token_estimate < 10);
        }
      });

      it('orients a conversation: ids to pass on, decisions, open tasks', async () => {
        const task = (title: string, tags: readonly string[]) =>
          host.use('memory_create_event', { workspace_id, event_type: 'task', title, content: title, tags });
        await task('Measure the gateway', []);
        await task('Rename the bucket', ['done']);
        const {
          workspaces: all,
          current,
          guide,
        } = await host.use<Orientation>('init', {
          repository: 'git@x:team/P.git',
        });
        assert.deepEqual(current, { workspace_id, project_id });
        assert.equal(guide[0]?.tool, 'context');
        const elsewhere = await host.use<Orientation>('init', { repository: 'https://host/team/unknown' });
        assert.deepEqual(elsewhere.current, { workspace_id, project_id: null });
        const [own] = all;
        assert.deepEqual([own?.id, own?.index.state], [workspace_id, 'ready']);
        assert.deepEqual(own?.projects, [{ id: project_id, name: 'P' }]);
        assert.deepEqual(
          [own?.recent_decisions, own?.open_tasks].map((list) => list?.map(({ title }) => title)),
          [['Retry uploads'], ['Measure the gateway']],
        );
        await task('Measure the gateway', ['done']);
        const { workspaces: later } = await host.use<Orientation>('init', {});
        assert.deepEqual(later[0]?.open_tasks, [], 'closed by an event of its title');
        await new Promise((resolve) => setTimeout(resolve, 2)); // another millisecond
        await task('Measure the gateway', ['again']);
        const { workspaces: last } = await host.use<Orientation>('init', {});
        assert.equal(last[0]?.open_tasks.length, 1, 'open again after it was closed');
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'workspaces:read'] });
        const narrow = await host.use<Orientation>('init', {}, { as });
        assert.deepEqual(narrow.workspaces[0]?.recent_decisions, []);
        assert.deepEqual(
          narrow.guide.map(({ tool }) => tool),
          ['context', 'files_read'],
        );
        const nobody = { userId: '00000000-0000-7000-8000-00000000dead' };
        const startOf = async (scopes: readonly string[]) => {
          const caller = callerWith({ ...nobody, scopes });
          const answer = await host.catalog.call('init', {}, host.call({ caller }));
          return JSON.stringify(completeResult(answer).content);
        };
        assert.match(await startOf(['ai:read', 'workspaces:write']), /Make one with workspaces_create;/);
        assert.match(await startOf(['ai:read']), /Ask the person .* service-mcp ingest DIR, /);
        await rejects(host.use('init', { workspace_id: project_id }), 'NOT_FOUND', /workspaces_list/);
        await rejects(
          host.use('init', { workspace_id: 'P' }),
          'INVALID_ARGUMENT',
          /not a name: call workspaces/,
        );
      });

      it('answers a turn fast, as usual, or with all that fits', async () => {
        const turn = (mode: string, more: object = {}) =>
          host.use<Answer>('context', { workspace_id, query: 'retry an upload', mode, ...more });
        const fast = await turn('fast');
        assert.equal(fast.sections[0]?.kind, 'decision');
        assert.ok(fast.context.includes('src/upload.ts:') && fast.token_estimate < 400);
        assert.equal(fast.budget.max, 1000);
        for (const { path, start_line = 1, end_line = 1 } of fast.sections.filter(({ path: of }) => of)) {
          const lines = FILES.find((file) => file.path === path)?.content.split('\n') ?? [];
          assert.ok(!path?.startsWith('test/') && end_line - start_line < 6);
          assert.ok(
            fast.context.includes(
              lines
                .slice(start_line - 1, end_line)
                .join('\n')
                .trimEnd(),
            ),
            path,
          );
        }
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'workspaces:read'] });
        const narrow = await host.use<Answer>(
          'context',
          { workspace_id, query: 'upload', mode: 'fast' },
          { as },
        );
        assert.ok(narrow.sections.length > 0 && narrow.sections.every(({ kind }) => kind !== 'decision'));
        const standard = await turn('standard');
        assert.ok(
          standard.context.includes('finishUpload') && standard.context.includes('instead of resuming'),
        );
        assert.equal((await turn('pack')).budget.max, 16_000);
        assert.equal((await turn('pack', { max_tokens: 500 })).budget.max, 500);
        await rejects(turn('slow'), 'INVALID_ARGUMENT', /fast/);
      });

      it('answers bad input with what to do', async () => {
        for (const bad of [
          { max_tokens: 99 },
          { max_tokens: 100_001 },
          { query: '' },
          { query: 'x'.repeat(4001) },
          { format: 'yaml' },
          { include: [] },
          { max_sections: 0 },
          { extra: 1 },
        ])
          await rejects(context(bad), 'INVALID_ARGUMENT');
        const nothing = await context({ query: "\u{1F980} <|endoftext|> ' OR 1=1 --", project_id });
        assert.ok(nothing.token_estimate <= 4000);
      });
    });
  });
}
