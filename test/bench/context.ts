import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import type { Bench, Cell } from './bench.js';
import { startServer } from './measure/child.js';
import { fileOf, ingestCosqa, missingCosqa, readCosqa } from './measure/cosqa.js';
import { callTool } from './measure/rest-client.js';
import { quantile } from './measure/stats.js';

const BUDGETS = [1000, 2000, 4000];
const MAX_RESULTS = 100;

/** Marks such as <|endoftext|> in a text are text. */
const count = (text: string) => countTokens(text, { disallowedSpecial: new Set<string>() });

/** Texts that a way of packing took for a query, in tokens of the same tokenizer. */
interface Packed {
  readonly texts: string;
  readonly tokens: number;
}
type Packer = (query: string, max_tokens: number) => Promise<Packed>;

export const context: Bench = {
  name: 'context',
  title: 'The right function in a context',
  method:
    'The 6,267 Python functions of CoSQA, each ingested as a file into one workspace through the tools, and its 500 web queries, each ' +
    `with one right function, sent to ai_context with budgets of ${BUDGETS.join(', ')} tokens. A query counts as answered where the context has ` +
    'every line of the right function. Beside it, in the same run and counted by the same tokenizer: the results of keyword and of hybrid search in ' +
    'their order, each under a line with its path, as long as they fit.',
  skip: missingCosqa,
  async run(report) {
    const { code, queries } = await readCosqa();
    const textOf = new Map(Object.entries(code).map(([text, index]) => [index, text]));
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const service = await startServer('service', dataDir);
    try {
      const { port } = service;
      const { workspace_id, trained } = await ingestCosqa(port, code, report);
      const packers: Readonly<Record<string, Packer>> = {
        ai_context: contextPacker(port, workspace_id),
        'keyword results in order': plainPacker(port, workspace_id, 'keyword'),
        'hybrid results in order': plainPacker(port, workspace_id, 'hybrid'),
      };
      const rows: Cell[][] = [];
      let exceeded = 0;
      for (const budget of BUDGETS) {
        for (const [name, pack] of Object.entries(packers)) {
          let found = 0;
          const used: number[] = [];
          for (const { doc, retrieval_idx: right } of queries) {
            const { texts, tokens } = await pack(doc, budget);
            if (texts.includes((textOf.get(right) ?? fileOf(right)).trim())) found += 1;
            if (count(texts) > budget || tokens > budget) exceeded += 1;
            used.push(tokens);
          }
          rows.push([budget, name, (100 * found) / queries.length, quantile(used, 0.5)]);
          report(`${budget}: ${name} ${found} of ${queries.length} …`);
        }
      }
      return {
        tables: [
          {
            caption: 'Queries whose right function is in the context',
            columns: ['budget', 'packing', 'percent', 'tokens used, p50'],
            rows,
          },
        ],
        reading: [
          `${exceeded === 0 ? 'No context exceeded' : `${exceeded} contexts exceeded`} its budget.`,
          `The embedder ${trained ? 'was trained by the service on this workspace alone' : 'was not trained in time'}; nothing was downloaded.`,
          'These are the development queries of retrieval, too: a fresh set may score lower.',
        ],
      };
    } finally {
      await service.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

function contextPacker(port: number, workspace_id: string): Packer {
  return async (query, max_tokens) => {
    const { context: texts, token_estimate: tokens } = await callTool<{
      context: string;
      token_estimate: number;
    }>(port, 'ai_context', { workspace_id, query, max_tokens });
    return { texts, tokens };
  };
}

/** The results of a search one after another, until the first that does not fit. */
function plainPacker(port: number, workspace_id: string, mode: string): Packer {
  return async (query, max_tokens) => {
    const asked = { workspace_id, query, limit: MAX_RESULTS, content_max_chars: 10_000 };
    const { results } = await callTool<{
      results: ReadonlyArray<{ readonly path: string; readonly content: string }>;
    }>(port, `search_${mode}`, asked);
    let packed: Packed = { texts: '', tokens: 0 };
    for (const { path, content } of results) {
      const texts = `${packed.texts}=== ${path}\n${content.trimEnd()}\n\n`;
      const tokens = count(texts);
      if (tokens > max_tokens) break;
      packed = { texts, tokens };
    }
    return packed;
  };
}
