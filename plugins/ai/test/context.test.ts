import assert from 'node:assert/strict';
import { LOCAL_OWNER } from '@service-mcp/core';
import { callerWith, eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import ai from '@service-mcp/plugin-ai';
import graph from '@service-mcp/plugin-graph';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

interface Section {
  readonly kind: string;
  readonly path?: string;
  readonly id?: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly tokens: number;
  readonly reason: string;
}
interface Answer {
  readonly context: string;
  readonly token_estimate: number;
  readonly tokenizer: string;
  readonly sections: readonly Section[];
  readonly budget: { readonly max: number; readonly used: number; readonly dropped: number };
  readonly index: { readonly state: string };
}

interface Orientation {
  readonly workspaces: ReadonlyArray<{
    readonly id: string;
    readonly index: { readonly state: string };
    readonly projects: ReadonlyArray<{ readonly id: string; readonly name: string }>;
    readonly recent_decisions: ReadonlyArray<{ readonly title: string }>;
    readonly open_tasks: ReadonlyArray<{ readonly title: string }>;
  }>;
  readonly current: { readonly workspace_id: string; readonly project_id: string } | null;
}

const LONG = [
  "import { closeTicket } from './finish.js';",
  '/** Sends an upload again until the gateway accepts it. */',
  'export async function retryUpload(upload: Upload): Promise<Receipt> {',
  ...Array.from(
    { length: 80 },
    (_none, line) => `  await attempt(upload, ${line}); // attempt number ${line}`,
  ),
  '  finishUpload(upload);',
  '  return closeTicket();',
  '}',
  '',
].join('\n');
const FILES = [
  { path: 'src/upload.ts', content: LONG },
  {
    path: 'src/finish.ts',
    content: 'export function closeTicket(): Receipt {\n  return { stamp: "blue-green" };\n}\n',
  },
  { path: 'src/logo.ts', content: 'export function paintLogo(): string {\n  return "blue";\n}\n' },
  {
    path: 'test/upload.test.ts',
    content: 'it("retries an upload", () => retryUpload(upload));\nit("reports the upload", () => {});\n',
  },
  { path: 'docs/upload.md', content: '# Uploads\n\nAn upload is retried, since the gateway drops some.\n' },
];

eachDatabase((fresh) => {
  describe('context that fits a budget', () => {
    let host: TestHost;
    let workspace_id: string;
    let project_id: string;
    before(async () => {
      const plugins = [workspaces, syntax, search, secrets, memory, graph, ai];
      host = await testHost({ plugins, database: await fresh(), workers: true });
      workspace_id = (await host.use<{ id: string }>('workspaces_create', { name: 'Team' })).id;
      project_id = (await host.use<{ id: string }>('projects_create', { workspace_id, name: 'P' })).id;
      await host.use('files_ingest', { project_id, files: FILES });
      for (const [node_type, title, content] of [
        [
          'decision',
          'Retry uploads',
          'We retry an upload instead of resuming it, since the gateway keeps no parts.',
        ],
        ['fact', 'Colour of the logo', 'The logo is blue.'],
      ])
        await host.use('memory_create_node', { workspace_id, node_type, title, content });
      const pending = async () => {
        const { state } = await host.use<{ state: string }>('projects_index_status', { project_id });
        const nodes = { workspace_id, indexing_status: 'pending' };
        const { total } = await host.use<{ total: number }>('memory_list_nodes', nodes);
        return state !== 'ready' || total > 0;
      };
      while (await pending()) await new Promise((resolve) => setTimeout(resolve, 50));
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
      const narrow = await host.use<Answer & { warnings: string[] }>(
        'ai_enhanced_context',
        { workspace_id, query: 'retry an upload' },
        { as },
      );
      assert.ok(!narrow.sections.some(({ id }) => id !== undefined));
      assert.match(narrow.warnings.join(), /memory:read/);
      const past = await enhanced({ as_of: '2020-01-01T00:00:00Z' });
      assert.ok(!past.sections.some(({ kind }) => kind === 'decision'));
    });

    it('orients a conversation: ids to pass on, decisions, open tasks', async () => {
      const task = (title: string, tags: readonly string[]) =>
        host.use('memory_create_event', { workspace_id, event_type: 'task', title, content: title, tags });
      await task('Measure the gateway', []);
      await task('Rename the bucket', ['done']);
      const { workspaces: all, current } = await host.use<Orientation>('init', {
        repository: 'git@x:team/P.git',
      });
      assert.deepEqual(current, { workspace_id, project_id });
      const [own] = all;
      assert.deepEqual([own?.id, own?.index.state], [workspace_id, 'ready']);
      assert.deepEqual(own?.projects, [{ id: project_id, name: 'P' }]);
      assert.deepEqual(
        [own?.recent_decisions, own?.open_tasks].map((list) => list?.map(({ title }) => title)),
        [['Retry uploads'], ['Measure the gateway']],
      );
      await rejects(host.use('init', { workspace_id: project_id }), 'NOT_FOUND', /workspaces_list/);
    });

    it('answers a turn fast, as usual, or with all that fits', async () => {
      const turn = (mode: string, more: object = {}) =>
        host.use<Answer>('context', { workspace_id, query: 'retry an upload', mode, ...more });
      const fast = await turn('fast');
      assert.equal(fast.sections[0]?.kind, 'decision');
      assert.ok(fast.context.includes('src/upload.ts:') && fast.token_estimate < 400);
      assert.equal(fast.budget.max, 1000);
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
