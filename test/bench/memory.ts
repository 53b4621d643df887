import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { callTool } from './measure/rest-client.js';

const DEPTHS = [5, 10, 25, 50] as const;
const LIMIT_MS = 180_000;
const CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial'];
/** LoCoMo's own retriever over dialogues, as published. */
const PUBLISHED: readonly Cell[] = ['DRAGON over dialogues (published)', 56.7, 66.2, 76.7, 82.7];

interface Turn {
  readonly dia_id: string;
  readonly speaker: string;
  readonly text: string;
}
interface Conversation {
  readonly qa: ReadonlyArray<{
    readonly question: string;
    readonly evidence?: readonly string[];
    readonly category: number;
  }>;
  readonly conversation: Readonly<Record<string, unknown>>;
}
/** The share of the evidence of one question that the first results hold, by depth. */
interface Score {
  readonly category: number;
  readonly recalls: readonly number[];
}
type Found = { readonly results: ReadonlyArray<{ readonly id: string }> };

export const memory: Bench = {
  name: 'memory',
  title: 'Recall of memory on LoCoMo',
  method:
    'Five conversations of LoCoMo (snap-research/locomo, CC BY-NC 4.0), each a workspace: a turn is one event of its session, stored ' +
    'in order through the tools. For each question with evidence: the share of its evidence among the first results, in percent. ' +
    'memory_search as it is, and the hybrid mode over the same events, which knows nothing of neighbours.',
  skip: () =>
    process.env['BENCH_DATA']
      ? undefined
      : 'set BENCH_DATA to a folder with retrieval/locomo-dev.json, conversations of data/locomo10.json of snap-research/locomo.',
  async run(report) {
    const file = join(process.env['BENCH_DATA'] ?? '', 'retrieval', 'locomo-dev.json');
    const conversations = JSON.parse(await readFile(file, 'utf8')) as Conversation[];
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    const scores = { memory_search: [] as Score[], search_hybrid: [] as Score[] };
    try {
      for (const [at, conversation] of conversations.entries()) {
        const stored = await store(service.port, conversation);
        report(
          `conversation ${at + 1}: ${stored.ids.size} turns, embedder trained: ${String(stored.trained)} …`,
        );
        for (const tool of ['memory_search', 'search_hybrid'] as const)
          scores[tool].push(...(await ask(service.port, tool, conversation, stored)));
      }
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    const { memory_search: own, search_hybrid: plain } = scores;
    const categories = [1, 2, 3, 4, 5].map((category) =>
      rowOf(
        `memory_search, ${CATEGORIES[category] ?? ''}`,
        own.filter((score) => score.category === category),
      ),
    );
    return {
      tables: [
        {
          caption: `${own.length} questions`,
          columns: ['', ...DEPTHS.map((depth) => `recall@${depth}`)],
          rows: [rowOf('memory_search', own), rowOf('search_hybrid', plain), [...PUBLISHED], ...categories],
        },
      ],
      reading: ['These are development questions: settings were chosen in their sight.'],
    };
  },
};

function rowOf(name: string, scores: readonly Score[]): Cell[] {
  const mean = (at: number) =>
    scores.reduce((sum, { recalls }) => sum + (recalls[at] ?? 0), 0) / Math.max(1, scores.length);
  return [name, ...DEPTHS.map((_, at) => Math.round(1000 * mean(at)) / 10)];
}

/** Stores a conversation in a workspace of its own; resolves when it is indexed and its embedder trained. */
async function store(port: number, { conversation }: Conversation) {
  const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'locomo' });
  const ids = new Map<string, string>();
  for (let session = 1; Array.isArray(conversation[`session_${session}`]); session++) {
    const begun = Date.parse(
      String(conversation[`session_${session}_date_time`]).replace(/^(.*) on (.*)$/, '$2 $1 UTC'),
    );
    for (const [at, turn] of (conversation[`session_${session}`] as Turn[]).entries()) {
      const occurred_at = new Date(begun + at * 60_000).toISOString();
      const said = { title: turn.speaker, content: turn.text || turn.speaker, event_type: 'conversation' };
      const args = { workspace_id, ...said, session_id: `session ${session}`, occurred_at };
      ids.set((await callTool<{ id: string }>(port, 'memory_create_event', args)).id, turn.dia_id);
    }
  }
  const until = Date.now() + LIMIT_MS;
  let trained = false;
  while (!trained && Date.now() < until) {
    await delay(500);
    const args = { workspace_id, query: 'what did you say', filters: { kinds: ['event'] }, limit: 1 };
    const answer = await callTool<{ warnings: string[]; index: { pending: number } }>(
      port,
      'search_semantic',
      args,
    );
    trained =
      answer.index.pending === 0 && !answer.warnings.some((warning) => warning.includes('not trained'));
  }
  return { workspace_id, ids, trained };
}

async function ask(
  port: number,
  tool: 'memory_search' | 'search_hybrid',
  { qa }: Conversation,
  { workspace_id, ids }: Awaited<ReturnType<typeof store>>,
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const { question, evidence = [], category } of qa) {
    if (evidence.length === 0) continue;
    const found = await resultsOf(port, tool, { workspace_id, query: question });
    const turns = found.map((id) => ids.get(id) ?? '');
    const recalls = DEPTHS.map((depth) => {
      const first = new Set(turns.slice(0, depth));
      return evidence.filter((turn) => first.has(turn)).length / evidence.length;
    });
    scores.push({ category, recalls });
  }
  return scores;
}

async function resultsOf(
  port: number,
  tool: 'memory_search' | 'search_hybrid',
  asked: { readonly workspace_id: string; readonly query: string },
): Promise<string[]> {
  const limit = DEPTHS.at(-1);
  if (tool === 'memory_search')
    return (await callTool<Found>(port, tool, { ...asked, limit, content_max_chars: 50 })).results.map(
      ({ id }) => id,
    );
  const filters = { kinds: ['event'] };
  const args = { ...asked, filters, limit: 2 * (limit ?? 0), output_format: 'paths' };
  const { results } = await callTool<{ results: Array<{ path: string }> }>(port, tool, args);
  return results.map(({ path }) => path.replace(/^.*\//, ''));
}
