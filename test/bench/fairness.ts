import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.js';
import { createTenant, type Tenant } from './measure/accounts.js';
import { startServer } from './measure/child.js';
import { sourceFiles } from './measure/corpus.js';
import { callTool, SearchClient, untilIndexed, type IndexStatus } from './measure/rest-client.js';
import { quantile } from './measure/stats.js';

const FILES = 1000;
const BATCH = 250;
const SEARCHES = Number(process.env['BENCH_SEARCHES'] ?? 60);
const PATTERNS = 30;
const GLOBS = 40;
const GRAPH_QUERIES = 30;
const QUEUED = 4000;
const QUEUED_BATCH = 500;
const SAVED = 5;
const MODES = ['keyword', 'pattern'] as const;
const INDEX_LIMIT_MS = 600_000;
const TIMES_UNLOADED = 5;
const SEARCH_MS = 500;
const INDEXED_MS = 10_000;

/** Some tenths of a second of work over each large file, another automaton each time. */
const heavyPattern = (n: number) => `(?:[ab ]{1,50}){1,19}[0-9]{${(n % 900) + 1}}`;
const LARGE = 'ab '.repeat(150_000);
/** With as many wildcards as a glob may have; it fails at the last letter of each path. */
const heavyGlob = (n: number) => `${'*a'.repeat(50)}${n}`;

interface SourceText {
  readonly path: string;
  readonly content: string;
}
type Heavy = (n: number) => Promise<unknown>;

export const fairness: Bench = {
  name: 'fairness',
  title: 'One tenant beside another',
  method:
    `Two people with a workspace each in one hosted service, ${FILES.toLocaleString('en-US')} files each, in a process of its own. One of them keeps ` +
    `${PATTERNS} heavy patterns, ${GLOBS} keyword searches with a heavy glob, or ${GRAPH_QUERIES} queries of the code graph in flight; the other sends ` +
    `${SEARCHES} searches (BENCH_SEARCHES), one after the other. Then one of them queues ${QUEUED.toLocaleString('en-US')} files, and the other saves ${SAVED} files, ` +
    'one after the other.',
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir, 'child', 'hosted');
    const { port } = service;
    try {
      const [alice, bob] = [await createTenant(port, 'alice', true), await createTenant(port, 'bob', false)];
      const corpus = await Promise.all(
        (await sourceFiles(FILES, 1000)).map(async ({ path, from }) => {
          return { path, content: await readFile(from, 'utf8') };
        }),
      );
      const large = Array.from({ length: 4 }, (_none, at) => ({ path: `large-${at}.txt`, content: LARGE }));
      await ingest(port, alice, corpus, BATCH);
      await ingest(port, bob, [...corpus, ...large], BATCH);
      for (const { project_id, credential } of [alice, bob])
        await untilIndexed(port, project_id, INDEX_LIMIT_MS, credential);
      report('indexed …');
      const searches = await measureSearches(port, { alice, bob }, corpus, report);
      const saves = await measureSaves(port, { alice, bob }, corpus, report);
      return {
        tables: [
          {
            caption: 'Searches of mine (milliseconds)',
            columns: ['the other tenant', 'mode', 'p50', 'p95', 'bar', 'its calls answered'],
            rows: searches.rows,
          },
          {
            caption: 'A file that I save, until it is indexed (milliseconds)',
            columns: ['the other tenant', 'p50', 'longest', 'bar'],
            rows: saves.rows,
          },
        ],
        reading: [
          ...searches.reading,
          `${saves.left} of the ${QUEUED.toLocaleString('en-US')} files still waited when my last one was indexed.`,
        ],
      };
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

async function ingest(port: number, tenant: Tenant, files: readonly SourceText[], batch: number) {
  const { project_id, credential } = tenant;
  for (let at = 0; at < files.length; at += batch)
    await callTool(port, 'files_ingest', { project_id, files: files.slice(at, at + batch) }, credential);
}

interface Tenants {
  readonly alice: Tenant;
  readonly bob: Tenant;
}

async function measureSearches(
  port: number,
  { alice, bob }: Tenants,
  corpus: readonly SourceText[],
  report: (line: string) => void,
) {
  const [mine, other] = [new SearchClient(port, alice.credential), new SearchClient(port, bob.credential)];
  const { workspace_id, project_id, credential } = bob;
  const target = { type: 'module', path: corpus.find(({ path }) => path.endsWith('.js'))?.path };
  const loads: ReadonlyArray<readonly [string, number, Heavy]> = [
    ['nothing', 0, () => Promise.resolve()],
    [
      `${PATTERNS} patterns`,
      PATTERNS,
      (n) => other.search('pattern', { workspace_id, query: heavyPattern(n) }),
    ],
    [
      `${GLOBS} globs`,
      GLOBS,
      (n) => other.search('keyword', { workspace_id, query: 'return', filters: { path_glob: heavyGlob(n) } }),
    ],
    [
      `${GRAPH_QUERIES} graph queries`,
      GRAPH_QUERIES,
      () =>
        callTool(port, 'graph_dependencies', { project_id, target, include_transitive: true }, credential),
    ],
  ];
  const words = corpus.flatMap(({ content }) => /\b[a-z]{5,9}\b/.exec(content)?.[0] ?? []);
  const unloaded = new Map<string, number>();
  const rows: Array<Array<string | number>> = [];
  const errors = new Map<string, number>();
  for (const [name, lanes, heavy] of loads) {
    report(`beside ${name} …`);
    const over = new AbortController();
    let sent = 0;
    let answered = 0;
    const lane = async () => {
      while (!over.signal.aborted) {
        try {
          await heavy(sent++);
          answered += 1;
        } catch (error) {
          const message = String(error).slice(0, 80);
          errors.set(message, (errors.get(message) ?? 0) + 1);
          await delay(100);
        }
      }
    };
    const running = Array.from({ length: lanes }, lane);
    if (lanes > 0) await delay(1000); // all are in flight
    for (const mode of MODES) {
      const times: number[] = [];
      const before = answered;
      for (let at = 0; at < SEARCHES; at += 1) {
        const query = words[(at * 7) % words.length];
        const started = performance.now();
        await mine.search(mode, { workspace_id: alice.workspace_id, query });
        times.push(performance.now() - started);
      }
      const p50 = quantile(times, 0.5);
      if (lanes === 0) unloaded.set(mode, p50);
      const bar = lanes === 0 ? '' : Math.max(SEARCH_MS, TIMES_UNLOADED * (unloaded.get(mode) ?? 0));
      rows.push([name, mode, p50, quantile(times, 0.95), bar, answered - before]);
    }
    over.abort();
    await Promise.all(running);
  }
  mine.close();
  other.close();
  const reading = [...errors].map(([message, count]) => `The other tenant got ${count} times: ${message}.`);
  return { rows, reading };
}

async function measureSaves(
  port: number,
  { alice, bob }: Tenants,
  corpus: readonly SourceText[],
  report: (line: string) => void,
) {
  const rows: Array<Array<string | number>> = [];
  const save = async (name: string) => {
    const times: number[] = [];
    for (let at = 0; at < SAVED; at += 1) {
      const { path, content } = corpus[at * 3]!;
      const started = performance.now();
      await ingest(port, alice, [{ path, content: `${content}\n// saved beside ${name}\n` }], 1);
      await untilIndexed(port, alice.project_id, INDEX_LIMIT_MS, alice.credential);
      times.push(performance.now() - started);
    }
    rows.push([name, quantile(times, 0.5), quantile(times, 1), INDEXED_MS]);
  };
  await save('nothing');
  const name = `${QUEUED.toLocaleString('en-US')} files queued`;
  const queued = Array.from({ length: QUEUED }, (_none, at) => {
    const { path, content } = corpus[at % corpus.length]!;
    return { path: `queued-${at}/${path}`, content: `${content}\n// copy ${at}\n` };
  });
  await ingest(port, bob, queued, QUEUED_BATCH);
  report(`beside ${name} …`);
  await save(name);
  const { pending } = await callTool<IndexStatus>(
    port,
    'projects_index_status',
    { project_id: bob.project_id },
    bob.credential,
  );
  return { rows, left: pending };
}
