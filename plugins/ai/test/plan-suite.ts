import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { LOCAL_OWNER } from '@service-mcp/core';
import {
  callerWith,
  onDatabase,
  rejects,
  testHost,
  type TestDatabase,
  type TestHost,
} from '@service-mcp/core/testing';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';

interface Answer {
  readonly plan: {
    readonly id?: string;
    readonly title: string;
    readonly summary: string;
    readonly generator: string;
    readonly steps: ReadonlyArray<{
      readonly order: number;
      readonly description: string;
      readonly files: readonly string[];
      readonly symbols: readonly string[];
      readonly depends_on: readonly number[];
      readonly risk: string;
      readonly decisions: readonly string[];
      readonly tests: readonly string[];
      readonly effort: string;
    }>;
    readonly constraints: ReadonlyArray<{ readonly text: string; readonly records: readonly string[] }>;
    readonly open_questions: readonly string[];
    readonly sources: ReadonlyArray<{
      readonly path?: string;
      readonly id?: string;
      readonly project_id?: string;
    }>;
  };
  readonly warnings: readonly string[];
}

const FILES = {
  'src/storage/receipts.ts':
    'export function storeReceipt(id: string): string {\n  return `receipt ${id}`;\n}\n',
  'src/upload/retry.ts': [
    "import { storeReceipt } from '../storage/receipts.js';",
    '/** Sends an upload again until the gateway accepts it. */',
    'export function retryUpload(id: string): string {',
    '  return storeReceipt(id);',
    '}',
    '',
  ].join('\n'),
  'src/routes/upload-route.ts': [
    "import { retryUpload } from '../upload/retry.js';",
    "export const route = { path: '/v1/uploads', handle: (id: string) => retryUpload(id) };",
    '',
  ].join('\n'),
  'src/logo.ts': 'export function paintLogo(): string {\n  return "blue";\n}\n',
  'src/one/open.ts': 'export function openDoor(): void {}\n',
  'src/two/open.ts': 'export function openDoor(): void {}\n',
  'src/printer.ts': 'export class Printer {\n  printLabel(): void {}\n}\n',
  'test/retry.test.ts':
    "import { retryUpload } from '../src/upload/retry.js';\nit('retries', () => retryUpload('1'));\n",
  'docs/uploads.md': '# Uploads\n\nAn upload is retried, since the gateway drops some.\n',
};
const NODES = [
  {
    node_type: 'decision',
    title: 'Retry uploads',
    content: 'An upload is retried, the gateway keeps no parts.',
    code_refs: [{ path: 'src/upload/retry.ts' }],
  },
  {
    node_type: 'decision',
    title: 'Never retry uploads',
    content: 'An upload is not retried by the gateway.',
  },
  {
    node_type: 'constraint',
    title: 'No table for uploads',
    content: 'Uploads and their receipts need no table in the database.',
  },
  {
    node_type: 'decision',
    title: 'Freeze of routes',
    content: 'The route of uploads is frozen until the audit is over.',
    valid_from: '2025-01-01T00:00:00Z',
    valid_to: '2025-02-01T00:00:00Z',
    code_refs: [{ path: 'src/upload/retry.ts' }],
  },
];
const REQUIREMENTS =
  'Count how often retryUpload sends an upload again, and store the count with the receipt.\n- The route `/v1/uploads` shows the count.\n- Paint zebras in octarine.';

/** Plans from retrieval, on one engine: the plugin asks other plugins, whose statements are tested on both. PostgreSQL runs with the long tests. */
export function planSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('plans from retrieval', () => {
      let host: TestHost;
      let workspace_id: string;
      let project_id: string;
      let decision: string;
      before(async () => {
        host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh(), workers: true });
        const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
        const filled = await fillWorkspace(host, files, NODES);
        ({ workspace_id, project_id } = filled);
        const [kept = '', other = ''] = filled.nodes;
        decision = kept;
        await host.use('graph_link_knowledge', {
          workspace_id,
          source_node_id: other,
          target_node_id: decision,
          relation_type: 'contradicts',
        });
      });
      after(() => host.stop());

      const plan = (more: object = {}, options: object = {}) =>
        host.use<Answer>('ai_generate_plan', { workspace_id, requirements: REQUIREMENTS, ...more }, options);
      const stepOf = ({ plan: { steps } }: Answer, path: string) => {
        const step = steps.find(({ files }) => files.includes(path));
        assert.ok(step, `no step changes ${path}`);
        return step;
      };

      it('orders steps by what the code uses, with tests, decisions and documents', async () => {
        const answer = await plan();
        assert.equal(answer.plan.generator, 'retrieval');
        const storage = stepOf(answer, 'src/storage/receipts.ts');
        const retry = stepOf(answer, 'src/upload/retry.ts');
        const route = stepOf(answer, 'src/routes/upload-route.ts');
        assert.ok(storage.order < retry.order && retry.order < route.order);
        assert.ok(retry.depends_on.includes(storage.order) && route.depends_on.includes(retry.order));
        assert.deepEqual(retry.tests, ['test/retry.test.ts']);
        assert.ok(retry.symbols.includes('src/upload/retry.ts#retryUpload'));
        assert.ok(retry.decisions.includes(decision) && retry.description.includes('Retry uploads'));
        assert.equal(stepOf(answer, 'docs/uploads.md').order, answer.plan.steps.length);
        assert.ok(!answer.plan.steps.some(({ files }) => files.includes('test/retry.test.ts')));
        for (const { order, depends_on } of answer.plan.steps)
          assert.ok(depends_on.every((earlier) => earlier < order));
      });

      it('cites only what exists', async () => {
        const { plan: made } = await plan();
        const paths = new Set(Object.keys(FILES));
        for (const step of made.steps) {
          for (const path of [...step.files, ...step.tests]) assert.ok(paths.has(path), path);
          for (const id of step.symbols)
            await host.use('graph_dependencies', { project_id, target: { type: 'function', id } });
          for (const node_id of step.decisions) await host.use('memory_get_node', { node_id });
        }
      });

      it('asks about what it does not find, what contradicts itself, and names that several symbols have', async () => {
        const { open_questions } = (await plan()).plan;
        assert.ok(open_questions.some((question) => question.includes('zebras')));
        assert.ok(open_questions.some((question) => question.includes('contradict each other')));
        const doors = await plan({ requirements: 'Make openDoor log, and call `closeDoorSoftly` then.' });
        assert.ok(doors.plan.open_questions.some((one) => /src\/one\/open\.ts#openDoor, src\/two/.test(one)));
        assert.ok(doors.plan.open_questions.some((one) => one.includes('closeDoorSoftly')));
      });

      it('respects no decision that is no longer valid, asks about it, and marks it in a context', async () => {
        const { steps, open_questions } = (await plan()).plan;
        const asked = open_questions.find((question) => question.includes('Freeze of routes')) ?? '';
        assert.match(asked, /is no longer valid: does the work rely on it\?/);
        const [, id = ''] = /\(([0-9a-f-]{36})\)/.exec(asked) ?? [];
        assert.ok(id !== '' && !steps.some(({ decisions }) => decisions.includes(id)));
        const fair = {
          event_type: 'note',
          title: 'Fair',
          content: 'It opens.',
          occurred_at: '2999-01-01T00:00:00Z',
        };
        await host.use('memory_create_event', { workspace_id, ...fair });
        const query = 'is the route of uploads frozen';
        const { context } = await host.use<{ context: string }>('context', { workspace_id, query });
        assert.ok(
          context.includes(`### memory of 2025-01-01, no longer valid: Freeze of routes [${id}]\n`),
          context,
        );
        assert.doesNotMatch(context, /Fair/, 'it did not happen last');
        const fast = { workspace_id, query, mode: 'fast' };
        assert.doesNotMatch((await host.use<{ context: string }>('context', fast)).context, /Freeze/);
      });

      it('finds a method by the variable that it is called on', async () => {
        const { steps, open_questions } = (await plan({ requirements: 'Make printer.printLabel quiet.' }))
          .plan;
        assert.deepEqual(open_questions, []);
        assert.ok(steps.some(({ symbols }) => symbols.includes('src/printer.ts#Printer.printLabel')));
      });

      it('matches constraints with memory, that of no project too where a project is named', async () => {
        for (const of of [{}, { project_id }]) {
          const asked = { ...of, constraints: ['Add no table to the database', 'Use Fortran'] };
          const matched = (await plan(asked)).plan.constraints.map(({ records }) => records.length > 0);
          assert.deepEqual(matched, [true, false]);
        }
      });

      it('has at most max_steps steps, and is the same for the same index', async () => {
        for (const max_steps of [1, 2, 3]) {
          const { steps } = (await plan({ max_steps })).plan;
          assert.ok(steps.length >= 1 && steps.length <= max_steps);
        }
        assert.deepEqual((await plan()).plan, (await plan()).plan);
      });

      it('says that it has files of several projects, and of one project alone where that is named', async () => {
        assert.doesNotMatch((await plan()).warnings.join(), /projects/);
        const { id: second } = await host.use<{ id: string }>('projects_create', { workspace_id, name: 'Q' });
        const path = 'src/upload/retry.ts';
        await host.use('files_ingest', { project_id: second, files: [{ path, content: FILES[path] }] });
        const state = async () =>
          (await host.use<{ state: string }>('projects_index_status', { project_id: second })).state;
        while ((await state()) !== 'ready') await delay(50);
        const warning = (await plan()).warnings.find((one) => one.includes('files of 2 projects')) ?? '';
        assert.ok(warning.includes(project_id) && warning.includes(second), warning);
        const own = await plan({ project_id });
        assert.doesNotMatch(own.warnings.join(), /projects/);
        assert.ok(own.plan.sources.every((source) => source.project_id !== second));
        await host.use('projects_delete', { project_id: second });
      });

      it('leaves memory out without memory:read', async () => {
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read'] });
        const { plan: made, warnings } = await plan({}, { as });
        assert.ok(made.steps.length > 0 && made.steps.every(({ decisions }) => decisions.length === 0));
        assert.ok(!made.sources.some(({ id }) => id !== undefined));
        assert.ok(!JSON.stringify(made).includes('Retry uploads'));
        assert.match(warnings.join(), /memory:read/);
      });

      it('saves a plan whose title would end in half of a character', async () => {
        for (const begin of ['x'.repeat(118), 'x'.repeat(119)]) {
          const { plan: made } = await plan({ save: true, requirements: `${begin}😀 retries of uploads` });
          assert.ok(made.title.isWellFormed() && made.id !== undefined, made.title);
        }
      });

      it('saves a plan with its links once for an Idempotency-Key, where the caller may write memory', async () => {
        const idempotencyKey = `plan ${workspace_id}`;
        const [one, two] = await Promise.all([
          plan({ save: true }, { idempotencyKey }),
          plan({ save: true }, { idempotencyKey }),
        ]);
        const id = one.plan.id ?? '';
        assert.equal(two.plan.id, id);
        const node = await host.use<{ title: string; tags: string[]; code_refs: object[] }>(
          'memory_get_node',
          { node_id: id },
        );
        assert.deepEqual(node.tags, ['plan']);
        assert.ok(
          node.code_refs.some(
            (ref) => JSON.stringify(ref) === '{"path":"src/upload/retry.ts","symbol":"retryUpload"}',
          ),
        );
        const edges = await host.use<{ items: Array<{ target_node_id: string }> }>('graph_list_links', {
          node_id: id,
        });
        assert.ok(edges.items.some(({ target_node_id }) => target_node_id === decision));
        const as = callerWith({ userId: LOCAL_OWNER.userId, scopes: ['ai:read', 'memory:read'] });
        await rejects(plan({ save: true }, { as }), 'PERMISSION_DENIED', /memory:write/);
        const viewer = await host.member(workspace_id, 'viewer');
        await rejects(plan({ save: true }, { as: viewer }), 'PERMISSION_DENIED', /member/);
        assert.ok((await plan({}, { as: viewer })).plan.steps.length > 0);
        await host.use('memory_delete_node', { node_id: id });
      });

      it('answers bad input with what to do, and hostile input with a plan', async () => {
        for (const bad of [
          { requirements: '' },
          { requirements: '  \n' },
          { requirements: 'x'.repeat(20_001) },
          { requirements: 'é'.repeat(15_000) },
          { max_steps: 0 },
          { max_steps: 51 },
          { constraints: [''] },
          { constraints: Array.from({ length: 21 }, () => 'c') },
          { save: 'yes' },
          { extra: 1 },
        ])
          await rejects(plan(bad), 'INVALID_ARGUMENT');
        await rejects(plan({ project_id: workspace_id }), 'NOT_FOUND', /projects_list/);
        for (const requirements of [
          '\u{1F980}',
          '\' OR 1=1 -- `[(` "*" %s',
          '```\nretryUpload(\n',
          '- '.repeat(500) + 'x',
          'retryUpload '.repeat(1600),
        ])
          assert.ok((await plan({ requirements })).plan.title.length <= 120);
      });
    });
  });
}
