import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { latencies } from './measure/latency.js';
import { paragraphs, titleOf } from './measure/memory-texts.js';
import { callTool } from './measure/rest-client.js';

const WRITERS = 8;
const WRITES = 50;
const ENTITIES = Number(process.env['BENCH_ENTITIES'] ?? 10_000);
const ENTITIES_A_CALL = 100;
const QUERIES = 40;
/** Without sessions. */
const REVISION = '2026-07-28';
const LIMIT_MS = 600_000;

/** A server of memories as its clients see it. */
interface Memory {
  readonly name: string;
  open(): Promise<Client>;
  write(client: Client, titles: readonly string[], texts: readonly string[]): Promise<void>;
  /** Titles of all that is stored. */
  stored(client: Client): Promise<string[]>;
  search(client: Client, query: string): Promise<object>;
  /** Resolves when all that was written can be found. */
  settled(): Promise<void>;
}

async function call<T>(client: Client, name: string, args: object): Promise<T> {
  const result = await client.callTool({ name, arguments: { ...args } });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent as T; // both servers declare what they return
}

/** The official server: each client has a process of its own, and all of them have one file. */
function official(file: string): Memory {
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'));
  const open = async () => {
    const client = new Client({ name: 'bench', version: '1' });
    const env = { MEMORY_FILE_PATH: file };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program],
      env,
      stderr: 'ignore',
    });
    await client.connect(transport);
    return client;
  };
  return {
    name: 'server-memory',
    open,
    async write(client, titles, texts) {
      const entities = titles.map((name, n) => ({
        name,
        entityType: 'note',
        observations: [texts[n] ?? ''],
      }));
      await call(client, 'create_entities', { entities });
    },
    async stored(client) {
      const graph = await call<{ entities: Array<{ name: string }> }>(client, 'read_graph', {});
      return graph.entities.map(({ name }) => name);
    },
    search: (client, query) => client.callTool({ name: 'search_nodes', arguments: { query } }),
    settled: async () => undefined,
  };
}

/** This service: clients have one process, over HTTP. */
function ours(port: number, workspace_id: string): Memory {
  return {
    name: 'service',
    async open() {
      const versionNegotiation = { mode: { pin: REVISION } };
      const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation });
      const requestInit = { headers: { 'x-service-toolset': 'complete' } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }),
      );
      return client;
    },
    async write(client, titles, texts) {
      for (const [n, title] of titles.entries()) {
        const event = { workspace_id, event_type: 'note', title, content: texts[n] ?? '' };
        await call(client, 'memory_create_event', event);
      }
    },
    async stored(client) {
      const titles: string[] = [];
      for (let page = 1, more = true; more; page++) {
        const args = { workspace_id, page, per_page: 100 };
        const found = await call<{ items: Array<{ title: string }>; has_next: boolean }>(
          client,
          'memory_list_events',
          args,
        );
        titles.push(...found.items.map(({ title }) => title));
        more = found.has_next;
      }
      return titles;
    },
    search: (client, query) => client.callTool({ name: 'memory_search', arguments: { workspace_id, query } }),
    async settled() {
      for (const until = Date.now() + LIMIT_MS; ; await delay(500)) {
        const args = { workspace_id, query: 'note', limit: 1 };
        const { index } = await callTool<{ index: { pending: number } }>(port, 'memory_search', args);
        if (index.pending === 0) return;
        if (Date.now() > until) throw new Error(`${index.pending} memories were never indexed`);
      }
    },
  };
}

/** Of so many acknowledged writes of clients at the same time: how many are there, and writes a second. */
async function writeAtOnce(memory: Memory): Promise<Cell[]> {
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => memory.open()));
  const acknowledged: string[] = [];
  let failed = 0;
  const started = performance.now();
  await Promise.all(
    clients.map(async (client, writer) => {
      for (let n = 0; n < WRITES; n++) {
        const title = `note ${n} of writer ${writer}`;
        await memory.write(client, [title], [`${title} was written`]).then(
          () => acknowledged.push(title),
          () => failed++,
        );
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const [reader] = clients as [Client, ...Client[]];
  const stored = new Set(await memory.stored(reader));
  for (const client of clients) await client.close();
  const lost = acknowledged.filter((title) => !stored.has(title)).length;
  const share = `${Math.round((100 * lost) / Math.max(1, acknowledged.length))} %`;
  return [
    memory.name,
    WRITERS * WRITES,
    failed,
    acknowledged.length,
    lost,
    share,
    acknowledged.length / seconds,
  ];
}

/** Stores the entities through as many clients as write at the same time without a loss. */
async function fill(memory: Memory, writers: number, texts: readonly string[]): Promise<void> {
  const clients = await Promise.all(Array.from({ length: writers }, () => memory.open()));
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (next < texts.length) {
        const from = next;
        next += ENTITIES_A_CALL;
        const part = texts.slice(from, next);
        await memory.write(
          client,
          part.map((text, n) => `${titleOf(text)} ${from + n}`),
          part,
        );
      }
    }),
  );
  for (const client of clients) await client.close();
  await memory.settled();
}

/** The queries; each text has a word of its own at its end. */
function queriesOf(texts: readonly string[]): ReadonlyArray<readonly [string, (at: number) => Query]> {
  const chosen = (at: number) => Math.floor(((at + 0.5) / QUERIES) * texts.length);
  const words = (text: string) => [...new Set(text.toLowerCase().match(/[a-z]{5,}/g) ?? [])];
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [common = ''] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const ofText = (at: number, make: (words: readonly string[], n: number) => string): Query => {
    const text = texts[chosen(at)] ?? '';
    return { query: make(words(text), chosen(at)), text };
  };
  return [
    ['one hit', (at) => ofText(at, (_words, n) => markerOf(n))],
    [`a common word (${common})`, () => ({ query: common, text: common })],
    ['two words of one text', (at) => ofText(at, (all) => `${all.at(-1) ?? ''} ${all[0] ?? ''}`)],
  ];
}

interface Query {
  readonly query: string;
  /** A text that answers it. */
  readonly text: string;
}

const markerOf = (n: number) => `mark${n.toString(36)}x`;

export const memoryServer: Bench = {
  name: 'memory-server',
  title: 'Memory beside the official memory server',
  method:
    `The memory server of the Model Context Protocol (npm @modelcontextprotocol/server-memory) over stdio, a process for each client and one file, beside this service over ` +
    `HTTP, both through the client of the SDK. ${WRITERS} clients write ${WRITES} notes each at the same time, then every acknowledged one is looked for. ` +
    `Then ${ENTITIES.toLocaleString('en-US')} notes, paragraphs of the documentation of the installed packages, and ${QUERIES} searches of each kind, in blocks that take turns; ` +
    'found: searches that return the text that the words are from; bytes: of the whole result as JSON. The service returns the best ten, the other everything that matches.',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', folder, 'child');
    try {
      const workspace = async (name: string) =>
        (await callTool<{ id: string }>(service.port, 'workspaces_create', { name })).id;
      const lossy = await writeAtOnce(official(join(folder, 'writers.jsonl')));
      const writes = [await writeAtOnce(ours(service.port, await workspace('writers'))), lossy];
      report('written at the same time …');
      const texts = (await paragraphs(ENTITIES)).map((text, n) => `${text} ${markerOf(n)}`);
      const own = ours(service.port, await workspace('large'));
      const peer = official(join(folder, 'large.jsonl'));
      await fill(peer, 1, texts);
      await fill(own, WRITERS, texts);
      report('filled …');
      const clients = [await own.open(), await peer.open()] as const;
      const rows: Cell[][] = [];
      for (const [name, queryAt] of queriesOf(texts)) {
        const bytes = [0, 0];
        const found = [0, 0];
        const ask = (side: 0 | 1) => async (at: number) => {
          const { query, text } = queryAt(at % QUERIES);
          const answer = JSON.stringify(await [own, peer][side]?.search(clients[side], query));
          bytes[side] = (bytes[side] ?? 0) + Buffer.byteLength(answer) / QUERIES;
          if (answer.includes(JSON.stringify(text).slice(1, -1))) found[side] = (found[side] ?? 0) + 1;
        };
        for (const side of [0, 1] as const) for (let at = 0; at < QUERIES; at++) await ask(side)(at);
        const sizes = bytes.map((sum) => Math.round(sum));
        const hits = found.map((count) => `${Math.round((100 * count) / QUERIES)} %`);
        const times = await latencies(ask(0), ask(1), QUERIES, 1);
        rows.push([name, own.name, times.ours.p50, times.ours.p95, hits[0] ?? '', sizes[0] ?? 0]);
        rows.push([name, peer.name, times.raw.p50, times.raw.p95, hits[1] ?? '', sizes[1] ?? 0]);
      }
      for (const client of clients) await client.close();
      return {
        tables: [
          {
            caption: `${WRITERS} clients at the same time`,
            columns: [
              'server',
              'writes',
              'failed',
              'acknowledged',
              'lost',
              'lost of acknowledged',
              'a second',
            ],
            rows: writes,
          },
          {
            caption: `Searches over ${ENTITIES.toLocaleString('en-US')} notes`,
            columns: ['query', 'server', 'p50 ms', 'p95 ms', 'found', 'bytes'],
            rows,
          },
        ],
        reading: [
          'The other server reads and writes its whole file for each call: what one process writes replaces what another wrote since it read.',
        ],
      };
    } finally {
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
