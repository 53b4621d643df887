/**
 * Retrieval quality over CoSQA, through the tools: `BENCH_DATA=<folder> node --conditions=unbundled test/dist/quality.js [queries]`.
 * The folder holds retrieval/cosqa-code.json and retrieval/cosqa-dev-queries.json (Jun-jie-Huang/CoCLR, C-UDA).
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { site } from './harness.js';

const folder = process.env['BENCH_DATA'];
if (!folder) throw new Error('set BENCH_DATA to the folder that holds retrieval/cosqa-code.json');
const read = async (name: string) =>
  JSON.parse(await readFile(join(folder, 'retrieval', name), 'utf8')) as unknown;
const code = (await read('cosqa-code.json')) as Record<string, number>;
const queries = ((await read('cosqa-dev-queries.json')) as { doc: string; retrieval_idx: number }[]).slice(
  0,
  Number(process.argv[2] ?? 500),
);

const at = await site();
const started = performance.now();
await at.ingest(Object.fromEntries(Object.entries(code).map(([text, i]) => [`${i}.py`, text])));
await at.settled();
const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
console.log(`indexed ${Object.keys(code).length} functions in ${seconds()} s`);
const score = async (mode: string) => {
  let ndcg = 0;
  let recall = 0;
  const times: number[] = [];
  for (const { doc, retrieval_idx: wanted } of queries) {
    const begun = performance.now();
    const { results } = await at.search(mode, { query: doc, limit: 20, content_max_chars: 50 });
    times.push(performance.now() - begun);
    const files = [...new Set(results.map(({ path }) => path))].slice(0, 10);
    const rank = files.indexOf(`${wanted}.py`);
    if (rank >= 0) {
      ndcg += 1 / Math.log2(rank + 2);
      recall++;
    }
  }
  times.sort((a, b) => a - b);
  const percent = (value: number) => ((100 * value) / queries.length).toFixed(1);
  const ms = (share: number) => times[Math.floor(share * times.length)]?.toFixed(1);
  console.log(
    `${mode}: nDCG@10 ${percent(ndcg)}, R@10 ${percent(recall)}, p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms`,
  );
};
console.log('untrained');
for (const mode of ['keyword', 'semantic', 'hybrid']) await score(mode);
while ((await at.search('semantic', { query: 'read a file' })).warnings.length > 0) await delay(200);
console.log(`trained and swapped after ${seconds()} s, RSS ${process.memoryUsage().rss >> 20} MB`);
for (const mode of ['semantic', 'hybrid']) await score(mode);
await at.stop();
