import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer, type ServerProcess } from './measure/child.js';
import { latencies } from './measure/latency.js';
import { paragraphs, queryOf, titleOf } from './measure/memory-texts.js';
import { callTool } from './measure/rest-client.js';

const COUNT = Number(process.env['BENCH_MEMORIES'] ?? 100_000);
const WRITERS = 16;
const QUERIES = 80;
const TURNS_A_SESSION = 20;
/** One in so many is a node; of these, and of events, one in so many is a decision. */
const NODES_EVERY = 5;
const DECISIONS_EVERY = 10;
const SUPERSEDED_EVERY = 50;
const SPAN_MS = 2 * 365 * 24 * 60 * 60 * 1000;
const INDEXING_LIMIT_MS = 3_600_000;
const TRAINING_LIMIT_MS = 1_800_000;

/** A folder that is filled once and measured again: filling takes most of the time. */
const FOLDER = process.env['BENCH_MEMORIES_FOLDER'];

/** The workspace that is measured, and an empty one in the same service. */
interface Filled {
  readonly workspace_id: string;
  readonly empty_id: string;
  readonly perSecond: number;
}

const MEASURES: ReadonlyArray<{
  readonly name: string;
  readonly bar?: number;
  readonly call: (texts: readonly string[], at: number) => { readonly tool: string; readonly args: object };
}> = [
  {
    name: 'memory_search',
    bar: 60,
    call: (texts, at) => ({ tool: 'memory_search', args: { query: queryAt(texts, at) } }),
  },
  {
    name: 'memory_search, a word misspelt',
    call: (texts, at) => ({ tool: 'memory_search', args: { query: misspelt(queryAt(texts, at)) } }),
  },
  {
    name: 'memory_search, as_of',
    call: (texts, at) => ({
      tool: 'memory_search',
      args: { query: queryAt(texts, at), as_of: new Date().toISOString() },
    }),
  },
  {
    name: 'memory_timeline, by day',
    bar: 30,
    call: (_texts, at) => ({ tool: 'memory_timeline', args: { page: 1 + (at % 50) } }),
  },
  {
    name: 'memory_timeline, of a month by day',
    bar: 30,
    call: (_texts, at) => {
      const since = new Date(Date.UTC(2024, at % 20, 5));
      const until = new Date(Date.UTC(2024, (at % 20) + 1, 5));
      return { tool: 'memory_timeline', args: { since, until } };
    },
  },
  {
    name: 'memory_timeline, of two types by month',
    bar: 30,
    call: (_texts, at) => ({
      tool: 'memory_timeline',
      args: { types: ['decision', 'fact'], granularity: 'month', page: 1 + (at % 20) },
    }),
  },
  {
    name: 'memory_decisions',
    bar: 30,
    call: (_texts, at) => ({ tool: 'memory_decisions', args: { page: 1 + (at % 50) } }),
  },
  {
    name: 'memory_decisions, by query',
    call: (texts, at) => ({ tool: 'memory_decisions', args: { query: queryAt(texts, at) } }),
  },
  {
    name: 'memory_decisions, as_of',
    call: (_texts, at) => ({
      tool: 'memory_decisions',
      args: { as_of: new Date().toISOString(), page: 1 + (at % 50) },
    }),
  },
  { name: 'memory_facets', call: () => ({ tool: 'memory_facets', args: {} }) },
];

function queryAt(texts: readonly string[], at: number): string {
  return queryOf(texts[Math.floor(((at + 0.5) / QUERIES) * texts.length)] ?? '');
}

/** Without the third letter of the last word: the search finds that nothing holds it, and asks again with the nearest. */
function misspelt(query: string): string {
  return query.replace(/(\w\w)\w(\w*)$/u, '$1$2');
}

/** Stores memories through the tools, and waits until they are indexed and an embedder is trained. */
async function fill(port: number, texts: readonly string[], report: (line: string) => void): Promise<Filled> {
  const workspace = (name: string) => callTool<{ id: string }>(port, 'workspaces_create', { name });
  const { id: workspace_id } = await workspace('full');
  const { id: empty_id } = await workspace('empty');
  const started = performance.now();
  let next = 0;
  const write = async () => {
    while (next < texts.length) await store(port, workspace_id, texts, next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  const perSecond = (texts.length * 1000) / (performance.now() - started);
  report(`${texts.length} stored, ${perSecond.toFixed(0)} a second …`);
  await until(INDEXING_LIMIT_MS, async () => {
    const pending = { workspace_id, indexing_status: 'pending', per_page: 1 };
    const events = await callTool<{ total: number }>(port, 'memory_list_events', pending);
    const nodes = await callTool<{ total: number }>(port, 'memory_list_nodes', pending);
    return events.total + nodes.total === 0;
  });
  report('indexed …');
  const kinds = ['event', 'node'];
  await until(TRAINING_LIMIT_MS, async () => {
    const args = { workspace_id, query: 'server', filters: { kinds } };
    const { warnings } = await callTool<{ warnings: string[] }>(port, 'search_semantic', args);
    return !warnings.some((warning) => warning.includes('not trained'));
  });
  return { workspace_id, empty_id, perSecond };
}

async function until(limitMs: number, isDone: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + limitMs; !(await isDone()); await delay(2000))
    if (Date.now() > giveUpAt)
      throw new Error(`the memories were not ready after ${limitMs / 60_000} minutes`);
}

/** Stores one memory: a turn of a session, a note, a decision or a node, some of which are superseded. */
async function store(port: number, workspace_id: string, texts: readonly string[], n: number): Promise<void> {
  const content = texts[n] ?? '';
  const at = new Date(Date.UTC(2024, 0, 1) + (n / texts.length) * SPAN_MS).toISOString();
  const shared = { workspace_id, title: titleOf(content), content, tags: [`tag-${n % 40}`] };
  const isDecision = Math.floor(n / NODES_EVERY) % DECISIONS_EVERY === 0;
  if (n % NODES_EVERY === 0) {
    const node_type = isDecision ? 'decision' : 'fact';
    const node = { ...shared, node_type, valid_from: at };
    const { id: node_id } = await callTool<{ id: string }>(port, 'memory_create_node', node);
    if (n % SUPERSEDED_EVERY > 0) return;
    const successor = { node_id, title: shared.title, content: `${content} Since then it is otherwise.` };
    await callTool(port, 'memory_supersede_node', successor);
    return;
  }
  const session_id = `session ${Math.floor(n / TURNS_A_SESSION)}`;
  const event_type = isDecision ? 'decision' : 'conversation';
  await callTool(port, 'memory_create_event', { ...shared, event_type, session_id, occurred_at: at });
}

/** The latencies of each measure in the filled workspace and in the empty one, in turn, and processor time a call. */
async function measure(
  service: ServerProcess,
  { workspace_id, empty_id }: Filled,
  texts: readonly string[],
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const { name, bar, call } of MEASURES) {
    const ask = (workspace: string) => (at: number) => {
      const { tool, args } = call(texts, at);
      return callTool(service.port, tool, { ...args, workspace_id: workspace });
    };
    const { ours, raw } = await latencies(ask(workspace_id), ask(empty_id), QUERIES, 1);
    const verdict = bar === undefined ? '' : ours.p95 <= bar ? `${bar}: met` : `${bar}: missed`;
    const before = await service.usage();
    for (let at = 0; at < QUERIES; at++) await ask(workspace_id)(at);
    const after = await service.usage();
    const processor = (after.user + after.system - before.user - before.system) / 1000 / QUERIES;
    rows.push([name, ours.p50, ours.p95, verdict, processor, raw.p50, raw.p95]);
  }
  return rows;
}

export const memoryScale: Bench = {
  name: 'memory-scale',
  title: 'A large memory',
  method:
    `${COUNT.toLocaleString('en-US')} memories in one workspace, stored by ${WRITERS} parallel callers through the tools: four of five are events, most of ` +
    `them turns of sessions of ${TURNS_A_SESSION}, the others nodes, of which some are superseded; a tenth are decisions. Their texts are paragraphs of the ` +
    `documentation of the installed packages. ${QUERIES} calls of each kind, one after the other, over the compatibility route, beside the same calls in an empty workspace of ` +
    'the same service (embedded database), in blocks that take turns. `BENCH_MEMORIES` sets the number, `BENCH_MEMORIES_FOLDER` keeps them for the next run.',
  async run(report) {
    const dataDir = FOLDER ?? (await mkdtemp(join(tmpdir(), 'service-mcp-bench-')));
    const texts = await paragraphs(COUNT);
    const note = join(dataDir, 'filled.json');
    let service = await startServer('service', dataDir, 'child');
    try {
      const known = await readFile(note, 'utf8').catch(() => undefined);
      const filled = known ? (JSON.parse(known) as Filled) : await fill(service.port, texts, report);
      await writeFile(note, JSON.stringify(filled));
      await service.stop(); // what maintenance and training left in its memory does not count
      service = await startServer('service', dataDir, 'child');
      const rows = await measure(service, filled, texts);
      const [load = 0] = loadavg();
      return {
        tables: [
          {
            caption: 'Milliseconds; processor: of the service, a call',
            columns: ['call', 'p50', 'p95', 'bar for p95', 'processor', 'p50 empty', 'p95 empty'],
            rows,
          },
        ],
        reading: [
          `They were stored at ${filled.perSecond.toFixed(0)} a second, each in a transaction of its own; this shares the machine with indexing.`,
          `Afterwards ${load.toFixed(1)} processes were running or waiting for ${availableParallelism()} processors: alone it is 1.`,
        ],
      };
    } finally {
      await service.stop();
      if (FOLDER === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
