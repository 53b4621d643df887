import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, Cell } from './bench.js';
import type { GraphRun } from './measure/graph-run.js';

/** Folder in which `npm install @colbymchenry/codegraph@1.6.1` ran: 287 MB, too much for every checkout. */
const CODEGRAPH = process.env['BENCH_CODEGRAPH'];
const PYTHON = process.env['BENCH_PYTHON'] ?? '/usr/lib/python3.11';
const OURS = fileURLToPath(new URL('measure/graph-process.js', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const MIB = 1024 * 1024;

const run = promisify(execFile);
const LARGE = { maxBuffer: 64 * MIB };

/** Builds the graph of a folder with the library of the peer, in its own Node, and asks for the same impact. */
const PEER = `
const { CodeGraph } = require(process.argv[1] + '/lib/dist/index.js');
(async () => {
  const startedAt = performance.now();
  const graph = await CodeGraph.init(process.argv[2], {});
  await graph.indexAll({});
  const endedAt = performance.now();
  const stats = graph.getStats();
  const name = process.argv[3];
  const candidates = graph.getNodesByName(name);
  const callers = (node) => graph.getCallers(node.id, 1).length;
  const node = candidates.sort((a, b) => callers(b) - callers(a))[0];
  const times = [];
  let affected = 0;
  for (let i = 0; i < 20 && node; i++) {
    const at = performance.now();
    affected = graph.getImpactRadius(node.id, 3).nodes.size;
    times.push(performance.now() - at);
  }
  times.sort((a, b) => a - b);
  console.log(JSON.stringify({
    files: stats.fileCount, bytes: 0, symbols: stats.nodeCount, partial: 0, edges: stats.edgeCount,
    seconds: (endedAt - startedAt) / 1000, parseSeconds: 0,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    impactMs: times[10] ?? 0, affected, name,
  }));
  process.exit(0);
})();
`;

export interface Corpus {
  readonly name: string;
  readonly folder: string;
  readonly extension: string;
}

export const graphPeer: Bench = {
  name: 'graph-peer',
  title: 'The code graph beside codegraph',
  method:
    'Graphs of real source, built by the resolver (one thread: parse, resolve, lay out) and by @colbymchenry/codegraph 1.6.1 in its own Node (its parsers take several threads and it writes a database), ' +
    'in turn, each in a process of its own; then the impact of the symbol with the most uses, three steps deep. `BENCH_CODEGRAPH` names the folder in which it is installed; without it, our figures stand alone.',
  async run(report) {
    const rows: Cell[][] = [];
    const reading: string[] = [];
    for (const corpus of await corpora()) {
      const folder = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
      try {
        await copyCorpus(corpus, folder);
        const ours = await runOf(process.execPath, [OURS, folder, corpus.extension]);
        report(`${corpus.name}: ours ${ours.seconds.toFixed(1)} s …`);
        rows.push(rowOf(corpus.name, 'service-mcp', ours));
        if (CODEGRAPH === undefined) continue;
        const bundle = join(
          CODEGRAPH,
          'node_modules',
          '@colbymchenry',
          `codegraph-${process.platform}-${process.arch}`,
        );
        const name = ours.name.split(/[#.]/).at(-1) ?? '';
        const peer = await runOf(join(bundle, 'node'), ['--liftoff-only', '-e', PEER, bundle, folder, name]);
        report(`${corpus.name}: codegraph ${peer.seconds.toFixed(1)} s …`);
        rows.push(rowOf(corpus.name, 'codegraph', peer));
        reading.push(
          `${corpus.name}: ${ratio(peer.seconds, ours.seconds)} times as fast, ${ratio(ours.peakBytes, peer.peakBytes)} times its memory; impact of ${ours.name} in ${ratio(ours.impactMs, peer.impactMs)} times its time.`,
        );
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    }
    const columns = [
      'source',
      'graph',
      'files',
      'files/s',
      'peak MiB',
      'symbols',
      'edges',
      'impact ms',
      'affected',
    ];
    return {
      tables: [{ caption: 'Building a graph, and one impact analysis', columns, rows }],
      reading: [
        ...reading,
        'Edges are not comparable as a number: each tool counts other relations, and codegraph binds by name where we leave a call unresolved.',
      ],
    };
  },
};

/** The sources of a corpus, without what is installed or built. */
export async function copyCorpus({ folder, extension }: Corpus, to: string): Promise<void> {
  await cp(folder, to, {
    recursive: true,
    filter: async (path) =>
      !/node_modules|[/\\]dist(?:[/\\]|$)|\.git$/.test(path) &&
      ((await stat(path)).isDirectory() || path.endsWith(extension) || path.endsWith('.json')),
  });
}

export async function corpora(): Promise<Corpus[]> {
  const all: Corpus[] = [
    { name: 'this repository (TypeScript)', folder: REPOSITORY, extension: '.ts' },
    { name: 'Python standard library', folder: PYTHON, extension: '.py' },
  ];
  const there = await Promise.all(all.map(({ folder }) => stat(folder).catch(() => undefined)));
  return all.filter((_each, index) => there[index]?.isDirectory());
}

async function runOf(command: string, args: readonly string[]): Promise<GraphRun> {
  const { stdout } = await run(command, args, LARGE);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as GraphRun;
}

function rowOf(source: string, graph: string, each: GraphRun): Cell[] {
  const { files, seconds, peakBytes, symbols, edges, impactMs, affected } = each;
  return [source, graph, files, files / seconds, peakBytes / MIB, symbols, edges, impactMs, affected];
}

function ratio(a: number, b: number): string {
  return (a / b).toPrecision(2);
}
