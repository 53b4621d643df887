import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { authentication } from './auth.js';
import type { Bench } from './bench.js';
import { commits } from './commits.js';
import { context } from './context.js';
import { contextLatency } from './context-latency.js';
import { dashboard } from './dashboard.js';
import { fairness } from './fairness.js';
import { freshness } from './freshness.js';
import { gatewayCost } from './gateway.js';
import { graphQueries } from './graph-queries.js';
import { graphMemory } from './graph-memory.js';
import { graphPeer } from './graph-peer.js';
import { graphOracles } from './graph-oracles.js';
import { graphPython } from './graph-python.js';
import { imports } from './import.js';
import { ingestRate } from './ingest.js';
import { load } from './load.js';
import { mcp } from './mcp.js';
import { memory } from './memory.js';
import { memoryScale } from './memory-scale.js';
import { memoryServer } from './memory-server.js';
import { neighbours } from './neighbours.js';
import { page, printed, type Finished } from './report.js';
import { pattern } from './pattern.js';
import { rest } from './rest.js';
import { retrieval } from './retrieval.js';
import { search } from './search.js';
import { sizing } from './sizing.js';
import { streams } from './streams.js';
import { versions } from './versions.js';
import { manyWorkspaces } from './workspaces.js';

const BENCHES: readonly Bench[] = [
  rest,
  mcp,
  gatewayCost,
  streams,
  authentication,
  ingestRate,
  sizing,
  imports,
  freshness,
  search,
  neighbours,
  pattern,
  manyWorkspaces,
  load,
  fairness,
  retrieval,
  commits,
  context,
  contextLatency,
  memory,
  memoryScale,
  memoryServer,
  graphQueries,
  graphPeer,
  graphMemory,
  graphOracles,
  graphPython,
  dashboard,
  versions,
];
const USAGE = `npm run bench [-- NAME… [--write]]   NAME: ${BENCHES.map(({ name }) => name).join(', ')}; default: all`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((wanted) => !BENCHES.some(({ name }) => name === wanted));
if (values.help || unknown.length > 0) {
  const complaint = unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n` : '';
  process.stderr.write(`${complaint}${USAGE}\n`);
  process.exit(values.help ? 0 : 1);
}

const finished: Finished[] = [];
for (const bench of BENCHES) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  const skipped = bench.skip?.();
  const report = (line: string) => process.stderr.write(`${bench.name}: ${line}\n`);
  const one: Finished = { bench, outcome: skipped === undefined ? await bench.run(report) : { skipped } };
  finished.push(one);
  process.stdout.write(`${printed(one)}\n`);
}
if (values.write) {
  const command = [...settings(), 'npm run bench --', ...positionals, '--write'].join(' ');
  const target = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));
  const titles = BENCHES.map(({ title }) => title);
  await writeFile(target, page(await readFile(target, 'utf8'), finished, { titles, command }));
}

/** The settings of this run, to state beside its figures: numbers as they are, folders of this machine by a placeholder. */
function settings(): string[] {
  return Object.entries(process.env)
    .flatMap(([name, value = '']) =>
      name.startsWith('BENCH_') && value !== '' ? [[name, value] as const] : [],
    )
    .map(([name, value]) => `${name}=${/^[\d.,]+$/.test(value) ? value : 'FOLDER'}`)
    .sort();
}
