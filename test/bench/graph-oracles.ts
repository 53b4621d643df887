import { resolveProject } from '@service-mcp/plugin-graph/internals';
import type { Bench, Cell, Table } from './bench.js';
import { checkerCalls } from './measure/graph-call-oracle.js';
import { cruiserImports, madgeImports } from './measure/graph-import-oracles.js';
import { scoreCalls, scoreImports, type Score } from './measure/graph-scores.js';
import { packageSources, repositorySources, type Sources } from './measure/graph-sources.js';

/** Packages that ship sources, with their folder. */
const TYPESCRIPT = { rxjs: 'src', ajv: 'lib', 'apache-arrow': 'src', piscina: 'src' } as const;
const JAVASCRIPT = { undici: 'lib', 'oidc-provider': 'lib', mocha: 'lib', koa: 'lib' } as const;
const CALLS = new Set<string>(['rxjs', 'ajv', 'piscina', 'koa', 'mocha', 'oidc-provider']);

export const graphOracles: Bench = {
  name: 'graph-oracles',
  title: 'Code graph of TypeScript and JavaScript beside compilers and bundlers',
  method:
    'Imports between files beside dependency-cruiser and madge, calls from function to function beside the checker of ' +
    'TypeScript 5.9, over sources that installed packages ship and over this repository. A call of an anonymous function counts for ' +
    'the function with a name around it; calls of what the project does not declare do not count. Two kinds of our edges are counted ' +
    'apart, because the checker has no opinion on them: overriders of the method that is called, and calls through function types and ' +
    '`any`.',
  async run(report) {
    const imports: Cell[][] = [];
    const calls: Cell[][] = [];
    const lowest = { imports: 1, calls: 1 };
    for await (const sources of allSources()) {
      report(`${sources.name}: ${sources.paths.length} files …`);
      const graphs = resolveProject(sources.files, sources.manifests);
      for (const [tool, find] of Object.entries({
        'dependency-cruiser': cruiserImports,
        madge: madgeImports,
      })) {
        const score = scoreImports(sources, graphs, await find(sources));
        if (!sources.isRepository) lowest.imports = Math.min(lowest.imports, score.precision, score.recall);
        imports.push([sources.name, sources.paths.length, tool, ...cells(score)]);
      }
      if (!sources.isRepository && !CALLS.has(sources.name)) continue;
      const score = scoreCalls(graphs, checkerCalls(sources));
      if (sources.name in TYPESCRIPT) lowest.calls = Math.min(lowest.calls, score.precision, score.recall);
      const { hierarchy, open, unresolved } = score;
      calls.push([sources.name, ...cells(score), hierarchy, open, unresolved]);
    }
    const tables: Table[] = [
      {
        caption: 'Imports',
        columns: ['sources', 'files', 'beside', 'ours', 'theirs', 'precision', 'recall'],
        rows: imports,
      },
      {
        caption: 'Calls beside the checker',
        columns: ['sources', 'ours', 'theirs', 'precision', 'recall', 'overriders', 'open', 'unresolved'],
        rows: calls,
      },
    ];
    return {
      tables,
      reading: [
        `Over the packages no precision or recall of imports is below ${lowest.imports.toFixed(4)}, and none of calls in the TypeScript packages below ${lowest.calls.toFixed(4)}.`,
        'In this repository neither tool follows imports from one package to another: these count against our precision. Types that are computed from types hide calls of services from the resolver.',
        '`koa`, `mocha` and `oidc-provider` are JavaScript without types. Computed names of methods (`[name]() {}`) are not followed.',
      ],
    };
  },
};

async function* allSources(): AsyncGenerator<Sources & { readonly isRepository: boolean }> {
  for (const [name, folder] of Object.entries({ ...TYPESCRIPT, ...JAVASCRIPT })) {
    yield { ...(await packageSources(name, folder)), isRepository: false };
  }
  yield { ...(await repositorySources()), isRepository: true };
}

function cells({ ours, theirs, precision, recall }: Score): Cell[] {
  return [ours, theirs, precision.toFixed(4), recall.toFixed(4)];
}
