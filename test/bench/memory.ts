import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { callTool } from './measure/rest-client.js';

const DEPTHS = [5, 10, 25, 50] as const;
/** Turns of a small workspace: the first ones of each conversation. */
const SMALL = [100, 200] as const;
/** What the two turns around a turn, the next two and the best of its session add to its keyword score. */
const CONTEXT = { neighbour: 0.3, second: 0.2, session: 0.2 };
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

/** A stored turn. */
interface Placed {
  readonly id: string;
  readonly dia_id: string;
  readonly session: number;
}
interface Stored {
  readonly workspace_id: string;
  /** In order. */
  readonly turns: readonly Placed[];
  readonly trained: boolean;
}
/** Ids of turns that answer a question, best first. */
type Ask = (port: number, stored: Stored, query: string) => Promise<string[]>;

export const memory: Bench = {
  name: 'memory',
  title: 'Recall of memory on LoCoMo',
  method:
    'Five conversations of LoCoMo (snap-research/locomo, CC BY-NC 4.0), each a workspace: a turn is one event of its session, stored ' +
    'in order through the tools. For each question with evidence: the share of its evidence among the first results, in percent. ' +
    'memory_search as it is, and the hybrid mode over the same events, which knows nothing of neighbours. Keywords with neighbours ' +
    'are the scores of search_keyword with those of the turns around added by the benchmark.',
  skip: () =>
    process.env['BENCH_DATA']
      ? undefined
      : 'set BENCH_DATA to a folder with retrieval/locomo-dev.json, conversations of data/locomo10.json of snap-research/locomo.',
  async run(report) {
    const file = join(process.env['BENCH_DATA'] ?? '', 'retrieval', 'locomo-dev.json');
    const conversations = JSON.parse(await readFile(file, 'utf8')) as Conversation[];
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    const whole = { memory_search: [] as Score[], search_hybrid: [] as Score[] };
    const small = new Map<string, Score[]>();
    try {
      for (const [at, conversation] of conversations.entries()) {
        for (const size of SMALL) {
          const stored = await store(service.port, conversation, size);
          for (const [name, ask] of Object.entries({ ...WAYS, keyword_with_neighbours: askByKeyword })) {
            const row = `${name}, first ${size} turns`;
            const scores = await scoresOf(service.port, ask, conversation, stored);
            small.set(row, [...(small.get(row) ?? []), ...scores]);
          }
        }
        const stored = await store(service.port, conversation);
        report(
          `conversation ${at + 1}: ${stored.turns.length} turns, embedder trained: ${String(stored.trained)} …`,
        );
        for (const name of ['memory_search', 'search_hybrid'] as const)
          whole[name].push(...(await scoresOf(service.port, WAYS[name], conversation, stored)));
      }
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    const { memory_search: own, search_hybrid: plain } = whole;
    const categories = [1, 2, 3, 4, 5].map((category) =>
      rowOf(
        `memory_search, ${CATEGORIES[category] ?? ''}`,
        own.filter((score) => score.category === category),
      ),
    );
    const columns = ['', ...DEPTHS.map((depth) => `recall@${depth}`)];
    return {
      tables: [
        {
          caption: `${own.length} questions`,
          columns,
          rows: [rowOf('memory_search', own), rowOf('search_hybrid', plain), [...PUBLISHED], ...categories],
        },
        {
          caption: `The first ${SMALL.join(' and ')} turns of each conversation alone, and the questions that they answer`,
          columns,
          rows: [...small].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, scores]) => rowOf(name, scores)),
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

/** Stores the first turns of a conversation in a workspace of its own; resolves when they are indexed and an embedder is trained. */
async function store(port: number, { conversation }: Conversation, limit = Infinity): Promise<Stored> {
  const { id: workspace_id } = await callTool<{ id: string }>(port, 'workspaces_create', { name: 'locomo' });
  const turns: Placed[] = [];
  for (let session = 1; Array.isArray(conversation[`session_${session}`]); session++) {
    const begun = Date.parse(
      String(conversation[`session_${session}_date_time`]).replace(/^(.*) on (.*)$/, '$2 $1 UTC'),
    );
    for (const [at, turn] of (conversation[`session_${session}`] as Turn[]).entries()) {
      if (turns.length >= limit) break;
      const occurred_at = new Date(begun + at * 60_000).toISOString();
      const said = { title: turn.speaker, content: turn.text || turn.speaker, event_type: 'conversation' };
      const args = { workspace_id, ...said, session_id: `session ${session}`, occurred_at };
      const { id } = await callTool<{ id: string }>(port, 'memory_create_event', args);
      turns.push({ id, dia_id: turn.dia_id, session });
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
  return { workspace_id, turns, trained };
}

/** The recall of each question whose evidence was stored, all of it. */
async function scoresOf(port: number, ask: Ask, { qa }: Conversation, stored: Stored): Promise<Score[]> {
  const turns = new Map(stored.turns.map(({ id, dia_id }) => [id, dia_id]));
  const known = new Set(turns.values());
  const isWhole = stored.turns.length > Math.max(...SMALL);
  const scores: Score[] = [];
  for (const { question, evidence = [], category } of qa) {
    if (evidence.length === 0 || (!isWhole && !evidence.every((turn) => known.has(turn)))) continue;
    const found = (await ask(port, stored, question)).map((id) => turns.get(id) ?? '');
    const recalls = DEPTHS.map((depth) => {
      const first = new Set(found.slice(0, depth));
      return evidence.filter((turn) => first.has(turn)).length / evidence.length;
    });
    scores.push({ category, recalls });
  }
  return scores;
}

const LIMIT = Math.max(...DEPTHS);
const EVENTS = { kinds: ['event'] };

const WAYS = {
  async memory_search(port, { workspace_id }, query) {
    const args = { workspace_id, query, limit: LIMIT, content_max_chars: 50 };
    return (await callTool<Found>(port, 'memory_search', args)).results.map(({ id }) => id);
  },
  async search_hybrid(port, { workspace_id }, query) {
    const args = { workspace_id, query, filters: EVENTS, limit: 2 * LIMIT, output_format: 'paths' };
    const { results } = await callTool<{ results: Array<{ path: string }> }>(port, 'search_hybrid', args);
    return results.map(({ path }) => path.replace(/^.*\//, ''));
  },
} satisfies Record<string, Ask>;

/** Keyword search, with what the turns around a turn and its session add: for comparison, made here. */
async function askByKeyword(port: number, { workspace_id, turns }: Stored, query: string): Promise<string[]> {
  const args = { workspace_id, query, filters: EVENTS, limit: 2 * LIMIT, output_format: 'paths' };
  const { results } = await callTool<{ results: Array<{ path: string; score: number }> }>(
    port,
    'search_keyword',
    args,
  );
  const scores = new Map(results.map(({ path, score }) => [path.replace(/^.*\//, ''), score]));
  const own = turns.map(({ id }) => scores.get(id) ?? 0);
  const best = new Map<number, number>();
  for (const [at, { session }] of turns.entries())
    best.set(session, Math.max(best.get(session) ?? 0, own[at] ?? 0));
  return turns
    .map(({ id, session }, at) => {
      const near = (distance: number) =>
        turns[at + distance]?.session === session ? (own[at + distance] ?? 0) : 0;
      const context =
        CONTEXT.neighbour * (near(-1) + near(1)) +
        CONTEXT.second * (near(-2) + near(2)) +
        CONTEXT.session * (best.get(session) ?? 0);
      return { id, score: (own[at] ?? 0) + context };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}
