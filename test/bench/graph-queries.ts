import { deepEqual } from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freshDatabase } from '@service-mcp/core/testing';
import {
  ProjectGraph,
  impactOf,
  kindMask,
  pathsBetween,
  reach,
  type FileGraph,
} from '@service-mcp/plugin-graph/internals';
import type { Bench, Cell } from './bench.js';
import { bareClosure, barePaths } from './measure/bare-loops.js';
import { median, quantile } from './measure/stats.js';
import { idOf, randomFrom, scaleFreeProject } from './measure/synthetic-graph.js';

const CALLS = Number(process.env['BENCH_EDGES'] ?? 1_000_000);
const RUNS = 15;
const PAIRS = 60;
const MAX_DEPTH = 10;
const MAX_PATHS = 20;
const EDGES_A_STATEMENT = 50_000;
const MIB = 1024 * 1024;
const filter = { kinds: kindMask(['calls', 'references', 'extends', 'implements']), minConfidence: 0 };

/** Milliseconds of a call, and its result. */
function timed<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

/** Memory in use after a collection, in bytes. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // a function since the flag is set
  for (let run = 0; run < 3; run++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The files of the project as they are stored. A function of its own, so that nothing else of them stays in memory. */
function projectTexts(): string[] {
  return scaleFreeProject(CALLS).map((file) => JSON.stringify(file));
}

function parsed(text: string): FileGraph {
  return JSON.parse(text) as FileGraph; // it was one
}

/** The node with the most callers. */
function hubOf({ rows, size }: ProjectGraph): number {
  let hub = 0;
  const callers = (node: number) => (rows.in[node + 1] ?? 0) - (rows.in[node] ?? 0);
  for (let node = 1; node < size; node++) if (callers(node) > callers(hub)) hub = node;
  return hub;
}

/** Nodes that lead to the hub, by a recursive query on SQLite; milliseconds of each run. */
async function closureInSql(graph: ProjectGraph, hub: number): Promise<{ ms: number[]; count: number }> {
  const made = await freshDatabase('sqlite');
  const database = await made.open();
  const { sql } = database;
  try {
    await sql.raw('CREATE TABLE edges (source INTEGER NOT NULL, target INTEGER NOT NULL)');
    const { sources, targets } = graph.rows;
    for (let at = 0; at < targets.length; at += EDGES_A_STATEMENT) {
      const pairs = Array.from(targets.subarray(at, at + EDGES_A_STATEMENT), (target, i) => [
        sources[at + i],
        target,
      ]);
      await sql.raw(
        "INSERT INTO edges SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)",
        [JSON.stringify(pairs)],
      );
    }
    await sql.raw('CREATE INDEX edges_by_target ON edges (target, source)');
    const ms: number[] = [];
    let count = 0;
    for (let run = 0; run < 3; run++) {
      const start = performance.now();
      const rows = (await sql.raw(
        'WITH RECURSIVE found (node) AS (VALUES (?) UNION SELECT source FROM found JOIN edges ON target = node) SELECT count(*) - 1 AS n FROM found',
        [hub],
      )) as Array<{ n: number }>;
      ms.push(performance.now() - start);
      count = rows[0]?.n ?? 0;
    }
    return { ms, count };
  } finally {
    await database.close();
    await made.drop();
  }
}

function row(name: string, ms: readonly number[], ratio: Cell): Cell[] {
  return [name, Math.min(...ms), median(ms), quantile(ms, 0.95), ratio];
}

export const graphQueries: Bench = {
  name: 'graph-queries',
  title: 'Queries over a code graph',
  method: `A synthetic project of ${CALLS.toLocaleString('en')} calls between a fifth as many functions, scale-free. Closure: all callers of the function with the most callers, through any number of steps; beside the plainest loop over the same arrays, and beside a recursive query on SQLite with an index. Paths: the ${MAX_PATHS} shortest of up to ${MAX_DEPTH} calls between ${PAIRS} random pairs, beside the plainest search over the same arrays. Ours and the plain one alternate; of closures the best runs are compared, of paths, which are all different, the medians. Both look at all calls of a path's length before they answer; ours also ranks them.`,
  async run(report) {
    report('making the project');
    const texts = projectTexts();
    const before = usedMemory();
    const load = timed(() => ProjectGraph.from(texts.map(parsed)));
    let graph = load.result;
    const used = usedMemory() - before;
    const replaced = Array.from({ length: RUNS }, (_, i) => {
      const { ms, result } = timed(() => graph.replace(texts.slice(i, i + 1).map(parsed)));
      graph = result;
      return ms;
    });

    report('closures');
    const hub = hubOf(graph);
    const ours: number[] = [];
    const plain: number[] = [];
    const impacts: number[] = [];
    let reached = 0;
    for (let run = 0; run < RUNS; run++) {
      const one = timed(() => reach(graph, [hub], 'in', filter, 254));
      const peer = timed(() => bareClosure(graph.rows, hub, graph.size));
      reached = one.result.nodes.length - 1;
      if (reached !== peer.result) throw new Error(`${reached} and ${peer.result} callers`);
      ours.push(one.ms);
      plain.push(peer.ms);
      impacts.push(timed(() => impactOf(graph, hub, 10, 50)).ms);
    }

    report('paths');
    const random = randomFrom(2);
    const pathsOurs: number[] = [];
    const pathsPlain: number[] = [];
    let found = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const node = () => graph.node(idOf(Math.floor((random() * CALLS) / 5))) ?? 0;
      const [from, to] = [node(), node()];
      const limits = { maxDepth: MAX_DEPTH, maxPaths: MAX_PATHS };
      const one = timed(() => pathsBetween(graph, [from], [to], 'out', filter, limits));
      const peer = timed(() => barePaths(graph.rows, from, to, { ...limits, size: graph.size }));
      const lengths = one.result.paths.map(({ edges }) => edges.length);
      deepEqual(lengths, peer.result);
      if (lengths.length > 0) found++;
      pathsOurs.push(one.ms);
      pathsPlain.push(peer.ms);
    }

    report('the recursive query');
    const sql = await closureInSql(graph, hub);
    if (sql.count !== reached) throw new Error(`${sql.count} and ${reached} callers`);

    const best = (ms: readonly number[]) => Math.min(...ms); // other work on the machine only adds
    const ratio = (a: readonly number[], b: readonly number[]) => best(a) / best(b);
    return {
      tables: [
        {
          caption: `${graph.rows.targets.length.toLocaleString('en')} calls, ${graph.size.toLocaleString('en')} symbols, ${graph.parts.length.toLocaleString('en')} files; the closure reaches ${reached.toLocaleString('en')}`,
          columns: ['query', 'best ms', 'median ms', 'p95 ms', 'times the plain loop'],
          rows: [
            row('closure', ours, ratio(ours, plain)),
            row('closure, plain loop', plain, 1),
            row('closure, recursive query on SQLite', sql.ms, ratio(sql.ms, plain)),
            row('impact with totals, ranks and tests', impacts, ratio(impacts, plain)),
            row(`${MAX_PATHS} paths`, pathsOurs, median(pathsOurs) / median(pathsPlain)),
            row(`${MAX_PATHS} paths, plain search`, pathsPlain, 1),
          ],
        },
        {
          caption: 'The graph itself',
          columns: ['what', 'value'],
          rows: [
            ['parsed and built from its files, ms', load.ms],
            ['laid out again after a change of one file, median ms', median(replaced)],
            ['memory, MiB', used / MIB],
            ['memory by its own estimate, MiB', graph.bytes / MIB],
            ['rows of the edges, MiB', (graph.rows.targets.length * 27 + graph.size * 16) / MIB],
          ],
        },
      ],
      reading: [
        `A closure takes ${ratio(ours, plain).toFixed(1)} times the plain loop, and ${(best(sql.ms) / best(ours)).toFixed(0)} times less than the recursive query. Paths take ${(median(pathsOurs) / median(pathsPlain)).toFixed(1)} times the plain search; ${found} of ${PAIRS} pairs have one.`,
      ],
    };
  },
};
