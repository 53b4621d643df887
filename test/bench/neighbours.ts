import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@service-mcp/core/host';
import type { Embedder, IndexDocument } from '@service-mcp/plugin-search/contract';
import {
  analyse,
  countTerms,
  hashedEmbedding,
  IndexTables,
  maintain,
  prepare,
  PreparationThreads,
  retrieveByMeaning,
} from '@service-mcp/plugin-search/internals';
import type { Bench } from './bench.js';
import { sourceFiles } from './measure/corpus.js';
import { quantile } from './measure/stats.js';

const CHUNKS = Number(process.env['BENCH_CHUNKS'] ?? 100_000);
const DIMENSIONS = 160;
const BATCH_FILES = 400;
const QUERIES = 200;
const WORDS = 5;
const TOP = 10;
/** As a page of semantic search asks for. */
const POOL = 30;
/** Cosines that differ by less are equal: vectors are 16-bit floats. */
const TIE = 1e-4;

const silent = createLog('silent');
const space: Embedder = {
  spaceId: 'hashed',
  dimensions: DIMENSIONS,
  model: 'hashed',
  embed: () => Promise.resolve({ vectors: [], tokens: 0 }),
  embedPassages: () => Promise.resolve([]),
  embedQuery: () => Promise.resolve(null),
  packedModel: () => Promise.resolve(undefined),
};

export const neighbours: Bench = {
  name: 'neighbours',
  title: 'Approximate neighbours beside exact ones',
  method:
    `The index of vectors as semantic search asks it, ${POOL} candidates, beside an exact scan of the same table in the same run: ` +
    `${QUERIES} queries of ${WORDS} words of a text, ${CHUNKS.toLocaleString('en-US')} chunks (BENCH_CHUNKS) of the source of the installed packages, ` +
    'repeated with other identifiers, in hashed vectors of 160 dimensions. A neighbour as near as the tenth exact one counts as found.',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    try {
      await IndexTables.create(folder, 'bench');
      const tables = await IndexTables.open(folder, 'bench');
      const queries = await fill(tables);
      report(`${(await tables.counts()).chunks} chunks …`);
      await maintain(tables, { log: silent, keepVersionsMs: 0 });
      const outcome = await measure(tables, queries);
      await tables.close();
      return outcome;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** Fills the tables; gives the vectors of queries from the texts. */
async function fill(tables: IndexTables): Promise<Float32Array[]> {
  const files = await sourceFiles(20_000);
  const threads = new PreparationThreads(1);
  const spaces = { writing: () => Promise.resolve({ embedded: [space], provided: [] }) };
  const limits = { timeLimitMs: 5000, maxBytes: 1024 * 1024, parseCode: true };
  const parts = { syntax: { limits }, spaces, threads, log: silent };
  const queries: Float32Array[] = [];
  try {
    for (let at = 0; (await tables.counts()).chunks < CHUNKS; at += BATCH_FILES) {
      const batch = Array.from({ length: BATCH_FILES }, async (_none, of) => {
        const { path, from } = files[(at + of) % files.length]!;
        return documentOf(path, await readFile(from, 'utf8'), Math.floor((at + of) / files.length));
      });
      const documents = await Promise.all(batch);
      const { batches } = await prepare(documents, parts, new AbortController().signal);
      for (const each of batches) await tables.replace(each);
      for (const { text } of documents.filter((_each, of) => of % 40 === 0)) queries.push(...queryOf(text));
    }
  } finally {
    await threads.close();
  }
  const step = Math.max(1, Math.floor(queries.length / QUERIES));
  return queries.filter((_each, at) => at % step === 0).slice(0, QUERIES);
}

function documentOf(path: string, text: string, copy: number): IndexDocument {
  const own = copy === 0 ? text : text.replaceAll(/\b[A-Za-z]+[A-Z_]\w*\b/g, (name) => `${name}V${copy}`);
  const about = { workspaceId: 'w', projectId: 'p', kind: 'code', language: null, title: '', tags: [] };
  const rest = {
    updatedAt: '2026-01-01T00:00:00.000Z',
    sha256: '',
    revision: 1,
    removed: false,
    attempts: 1,
  };
  return { id: `${copy}/${path}`, path, text: own, ...about, ...rest };
}

function queryOf(text: string): Float32Array[] {
  const words = [...new Set(text.match(/\b[a-z]{4,12}\b/g))].slice(10, 10 + WORDS);
  const vector = words.length === WORDS && hashedEmbedding(countTerms(analyse(words.join(' '))), DIMENSIONS);
  return vector ? [vector] : [];
}

async function measure(tables: IndexTables, queries: readonly Float32Array[]) {
  const table = await tables.vectors(DIMENSIONS);
  if (!table) throw new Error('there is no table of vectors');
  const times: Record<'ours' | 'exact', number[]> = { ours: [], exact: [] };
  let found = 0;
  for (const query of queries) {
    let started = performance.now();
    const near = await retrieveByMeaning(tables, query, space.spaceId, {
      where: 'true',
      limit: POOL,
      timeoutMs: 60_000,
    });
    times.ours.push(performance.now() - started);
    started = performance.now();
    const exact = (await table
      .query()
      .nearestTo(query)
      .distanceType('cosine')
      .bypassVectorIndex()
      .select(['_distance'])
      .limit(TOP)
      .toArray()) as Array<{ _distance: number }>;
    times.exact.push(performance.now() - started);
    const least = 1 - (exact.at(-1)?._distance ?? 0) - TIE;
    found += near.slice(0, TOP).filter(({ score }) => score >= least).length / exact.length;
  }
  const row = (name: string, some: readonly number[]) => [name, quantile(some, 0.5), quantile(some, 0.95)];
  const recall = found / queries.length;
  const { vectors } = await tables.counts();
  return {
    tables: [
      {
        caption: `${vectors.toLocaleString('en-US')} vectors (milliseconds)`,
        columns: ['search', 'p50', 'p95'],
        rows: [row('as semantic search asks', times.ours), row('exact scan', times.exact)],
      },
    ],
    reading: [`recall@${TOP} against the exact scan: ${recall.toFixed(3)}.`],
  };
}
