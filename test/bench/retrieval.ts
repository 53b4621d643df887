import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { fileOf, ingestCosqa, missingCosqa, readCosqa, type CosqaQuery } from './measure/cosqa.js';
import { callTool } from './measure/rest-client.js';

const MODES = ['keyword', 'semantic', 'hybrid'] as const;
const DEPTH = 10;
/** BM25 without and with analysis, as measured in prototypes over the same set (MRR was not). */
const KNOWN: readonly Cell[][] = [
  ['BM25 without analysis (known)', '', 29.6, 45.4],
  ['BM25 with stop words, stemming, split identifiers (known)', '', 40.1, 59.0],
];

interface Answer {
  readonly results: readonly { readonly path: string }[];
}

export const retrieval: Bench = {
  name: 'retrieval',
  title: 'Retrieval quality on CoSQA',
  method:
    'The 6,267 Python functions of CoSQA (Jun-jie-Huang/CoCLR, C-UDA), each ingested as a file into one workspace through the ' +
    'tools, and its 500 web queries; each query has one right function. Scores in percent over the first ten files.',
  skip: missingCosqa,
  async run(report) {
    const { code, queries } = await readCosqa();
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    try {
      const { port } = service;
      const { workspace_id: workspace, trained } = await ingestCosqa(port, code, report);
      const rows: Cell[][] = [];
      for (const mode of MODES) rows.push([mode, ...(await score(port, workspace, mode, queries))]);
      return {
        tables: [
          {
            caption: 'Percent',
            columns: ['mode', 'MRR@10', 'nDCG@10', 'recall@10'],
            rows: [...rows, ...KNOWN],
          },
        ],
        reading: [
          `The semantic mode ran on the embedder ${trained ? 'that the service trained on this workspace alone' : 'that knows spelling alone, because training did not end in time'}; nothing was downloaded.`,
          'These are the development queries: settings were chosen in their sight, so a fresh set will score lower.',
        ],
      };
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

function ask(port: number, workspace: string, mode: string, query: string): Promise<Answer> {
  const args = { workspace_id: workspace, query, limit: 2 * DEPTH, output_format: 'paths' };
  return callTool<Answer>(port, `search_${mode}`, args);
}

/** MRR, nDCG and recall over the first ten files; with one right file a query, nDCG is 1 / log2(rank + 1). */
async function score(
  port: number,
  workspace: string,
  mode: string,
  queries: readonly CosqaQuery[],
): Promise<number[]> {
  let [reciprocal, gain, found] = [0, 0, 0];
  for (const { doc, retrieval_idx: wanted } of queries) {
    const { results } = await ask(port, workspace, mode, doc);
    const files = [...new Set(results.map(({ path }) => path))].slice(0, DEPTH);
    const rank = files.indexOf(fileOf(wanted)) + 1;
    if (rank === 0) continue;
    reciprocal += 1 / rank;
    gain += 1 / Math.log2(rank + 1);
    found++;
  }
  return [reciprocal, gain, found].map((sum) => Math.round((1000 * sum) / queries.length) / 10);
}
