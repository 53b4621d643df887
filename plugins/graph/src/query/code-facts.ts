import { provide, token } from '@service-mcp/core';
import { impactOf } from './impact.js';
import type { CodeLines } from './neighbours.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';
import { ProjectGraphs, type GraphIndex } from './project-graphs.js';
import { riskOf, type RiskLevel } from './risk.js';
import { kindMask } from './rows.js';
import { symbolView, type SymbolView } from './symbol-view.js';
import { isTest } from './tests.js';

/** The risk of a change of one symbol, from what depends on it. */
export interface SymbolImpact {
  readonly level: RiskLevel;
  /** A sentence each. */
  readonly reasons: readonly string[];
  /** Symbols one step away, and at any distance up to 10. */
  readonly direct: number;
  readonly total: number;
  /** Files of affected tests, in order of path. */
  readonly testFiles: readonly string[];
}

/** Other files that a file is connected to, with the number of edges to each. */
export interface FileLinks {
  readonly uses: ReadonlyMap<string, number>;
  readonly usedBy: ReadonlyMap<string, number>;
}

/** The graph of a project at one moment, for plugins that plan changes. Answers are in order of path, then of source. */
export interface CodeFacts {
  readonly index: GraphIndex;
  /** Does the graph have the symbol of this id: `path`, `path#Qualified.name`? */
  has(id: string): boolean;
  /**
   * Symbols of a name or of the end of a qualified name: `get`, `Store.get`; where there are none, in any case of the
   * qualifiers, since a method is often named by a variable: `store.get`. Headings and modules are left out.
   */
  named(name: string): SymbolView[];
  /** Symbols that lie in the lines; else the innermost one around them. Headings and modules are left out. */
  symbolsIn(lines: CodeLines): SymbolView[];
  /** Files whose path is, or ends with, this one, with or without its extension. */
  filesAt(path: string): string[];
  /** Every file, with the names that it declares: the same array for the same graph. */
  files(): ReadonlyArray<{ readonly path: string; readonly names: readonly string[] }>;
  /** By imports, calls and types. Guesses are left out. */
  linksOf(path: string): FileLinks;
  /** What a change of the signature of a symbol may break; undefined for an unknown id. `decisions`: those about it. */
  impactOf(id: string, decisions: number): SymbolImpact | undefined;
}

/** The caller must be admitted to the workspace. */
export interface CodeFactsReader {
  read(scope: { readonly projectId: string; readonly workspaceId: string }): Promise<CodeFacts>;
}
export const CodeFactsReader = token<CodeFactsReader>('graph.CodeFacts');

export const codeFacts = provide(CodeFactsReader, {
  uses: { graphs: ProjectGraphs },
  create: ({ graphs }): CodeFactsReader => ({
    async read({ projectId, workspaceId }) {
      const { graph, index } = await graphs.read(projectId, workspaceId);
      return factsOf(graph, index);
    },
  }),
});

const LINKS = kindMask(['imports', 'calls', 'extends', 'implements', 'references']);
/** Edges below this are guesses, in hundredths. */
const MIN_CONFIDENCE = 50;
const MAX_DEPTH = 10;

function factsOf(graph: ProjectGraph, index: GraphIndex): CodeFacts {
  const isDeclared = (node: number) => !graph.isModule(node) && graph.symbol(node).kind !== 'heading';
  return {
    index,
    has: (id) => graph.node(id) !== undefined,
    named(name) {
      const wanted = name.replaceAll(/::|(?<=\w)#/g, '.');
      const last = wanted.slice(wanted.lastIndexOf('.') + 1);
      const namesakes = (graph.names().get(last) ?? []).filter(isDeclared);
      const qualified = (node: number) => `.${graph.symbol(node).qualifiedName}`;
      const same = namesakes.filter((node) => qualified(node).endsWith(`.${wanted}`));
      const end = `.${wanted}`.toLowerCase();
      const alike = () => namesakes.filter((node) => qualified(node).toLowerCase().endsWith(end));
      return (same.length > 0 ? same : alike()).map((node) => symbolView(graph, node));
    },
    symbolsIn({ path, startLine, endLine }) {
      const module = graph.node(path);
      if (module === undefined) return [];
      const nodes = graph.part(module).symbols.map((_, i) => module + i);
      const own = nodes.filter(isDeclared);
      const within = own.filter((node) => {
        const symbol = graph.symbol(node);
        return symbol.startLine >= startLine && symbol.endLine <= endLine;
      });
      if (within.length > 0) return within.map((node) => symbolView(graph, node));
      const around = own.findLast((node) => {
        const symbol = graph.symbol(node);
        return symbol.startLine <= startLine && symbol.endLine >= endLine;
      });
      return around === undefined ? [] : [symbolView(graph, around)];
    },
    filesAt: (path) => graph.filesAt(path).map((part) => graph.parts[part]!.path),
    files: () => filesOf(graph),
    linksOf: (path) => linksOf(graph, path),
    impactOf(id, decisions) {
      const node = graph.node(id);
      if (node === undefined) return undefined;
      const impact = impactOf(graph, node, MAX_DEPTH, 0);
      const { exported } = graph.symbol(node);
      const test = isTest(graph, node);
      const { level, reasons } = riskOf(impact, { change: 'modify_signature', exported, test, decisions });
      const testFiles = [...new Set(impact.tests.map((each) => graph.path(each)))].sort();
      return { level, reasons, direct: impact.direct, total: impact.totals.total, testFiles };
    },
  };
}

const filesOf = perGraph(({ parts }) =>
  parts.map(({ path, symbols }) => ({ path, names: symbols.slice(1).map(({ name }) => name) })),
);

function linksOf(graph: ProjectGraph, path: string): FileLinks {
  const uses = new Map<string, number>();
  const usedBy = new Map<string, number>();
  const module = graph.node(path);
  if (module === undefined || !graph.isModule(module)) return { uses, usedBy };
  const { rows } = graph;
  const add = (links: Map<string, number>, edge: number, node: number) => {
    if (((LINKS >> rows.kinds[edge]!) & 1) === 0 || rows.confidences[edge]! < MIN_CONFIDENCE) return;
    const other = graph.path(node);
    if (other !== path) links.set(other, (links.get(other) ?? 0) + 1);
  };
  for (let i = 0; i < graph.part(module).symbols.length; i++) {
    const node = module + i;
    for (let edge = rows.out[node]!; edge < rows.out[node + 1]!; edge++) add(uses, edge, rows.targets[edge]!);
    for (const edge of rows.incoming.subarray(rows.in[node], rows.in[node + 1]))
      add(usedBy, edge, rows.sources[edge]!);
  }
  return { uses, usedBy };
}
