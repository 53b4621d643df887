import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import type { CheckerCalls } from './graph-call-oracle.js';
import type { Imports } from './graph-import-oracles.js';
import type { Sources } from './graph-sources.js';
import type { PyrightCall } from './pyright-calls.js';

export interface Score {
  readonly ours: number;
  readonly theirs: number;
  readonly precision: number;
  readonly recall: number;
}

/** Imports between files of the project. Outputs of packages, which a tool finds, stand for their sources. */
export function scoreImports({ paths }: Sources, graphs: readonly FileGraph[], found: Imports): Score {
  const known = new Set(paths);
  const inside = (imports: Iterable<readonly [string, string]>): Set<string> => {
    const edges = new Set<string>();
    for (const [from, to] of imports) {
      const target = known.has(to) ? to : to.replace('/dist/', '/src/').replace(/(?:\.d)?\.[jt]s$/, '.ts');
      if (known.has(from) && known.has(target) && from !== target) edges.add(`${from} ${target}`);
    }
    return edges;
  };
  const theirs = inside([...found].map((each) => each.split(' ') as [string, string]));
  const ours = inside(
    graphs.flatMap(({ path, edges }) =>
      edges.filter(({ kind }) => kind === 'imports').map(({ target }) => [path, target] as const),
    ),
  );
  const both = [...ours].filter((each) => theirs.has(each)).length;
  return { ours: ours.size, theirs: theirs.size, precision: both / ours.size, recall: both / theirs.size };
}

export interface CallScore extends Score {
  /** Edges to overriders, which the checker does not tell. */
  readonly hierarchy: number;
  /** Edges of calls that the checker leaves open: through function types and `any`. */
  readonly open: number;
  readonly unresolved: number;
}

interface Called {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
  readonly confidence: number;
}

/**
 * Edges of some kinds from function to function, as `caller callee`: anonymous functions, variables and classes around a
 * call fold into what is around.
 */
function edgesOf(graphs: readonly FileGraph[], ...kinds: readonly string[]): Map<string, Called> {
  const ours = new Map<string, Called>();
  for (const { path, symbols, edges } of graphs) {
    for (const { kind, source, target, line, reason, confidence } of edges) {
      if (!kinds.includes(kind)) continue;
      let at = source;
      while (at !== 0 && !/^(?:function|method)$/.test(symbols[at]?.kind ?? ''))
        at = symbols[at]?.parent ?? 0;
      const caller = at === 0 ? path : `${path}#${symbols[at]?.qualifiedName}`;
      const key = withoutRepeats(`${caller} ${target}`);
      const known = ours.get(key);
      if (!known || known.confidence < confidence) ours.set(key, { path, line, reason, confidence });
    }
  }
  return ours;
}

export function scoreCalls(graphs: readonly FileGraph[], oracle: CheckerCalls): CallScore {
  const ours = edgesOf(graphs, 'calls');
  let right = 0;
  let wrong = 0;
  let hierarchy = 0;
  let open = 0;
  for (const [key, { path, line, reason }] of ours) {
    if (oracle.edges.has(key)) right += 1;
    else if (reason === 'hierarchy') hierarchy += 1;
    else if (oracle.open.has(`${path}:${line}`)) open += 1;
    else wrong += 1;
  }
  return {
    ours: ours.size,
    theirs: oracle.edges.size,
    precision: right / (right + wrong),
    recall: right / oracle.edges.size,
    hierarchy,
    open,
    unresolved: unresolvedOf(graphs),
  };
}

export interface PyrightScore {
  /** Calls that Pyright resolves to the project, and those that we resolve to the same. */
  readonly theirs: number;
  readonly found: number;
  /** Our edges of 0.9 and more: those that Pyright has too, that it resolves elsewhere, and where it resolves nothing. */
  readonly right: number;
  readonly elsewhere: number;
  readonly open: number;
  readonly unresolved: number;
}

/**
 * Calls by name from function to function. A call of a class is one of its constructor too; of a class without one, our edge
 * is a reference.
 */
export function scorePyright(graphs: readonly FileGraph[], calls: readonly PyrightCall[]): PyrightScore {
  const theirs = new Set(calls.flatMap(({ caller, targets }) => targets.map((each) => `${caller} ${each}`)));
  const resolved = new Set<string>();
  for (const { caller, name, targets, leadsElsewhere } of calls)
    if (targets.length > 0 || leadsElsewhere) resolved.add(`${caller} ${name}`);
  const ours = edgesOf(graphs, 'calls');
  const references = edgesOf(graphs, 'references');
  const isFound = (edge: string) =>
    references.has(edge) || constructions(edge).some((each) => ours.has(each));
  const found = [...theirs].filter(isFound).length;
  let [right, elsewhere, open] = [0, 0, 0];
  for (const [edge, { confidence }] of ours) {
    const [caller = '', target = ''] = edge.split(' ');
    const [name = '', owner = ''] = (target.split('#')[1] ?? '').split('.').reverse();
    if (confidence < CERTAIN || (/^__\w+__$/.test(name) && name !== '__init__')) continue; // operators have no name
    if (constructions(edge).some((each) => theirs.has(each))) right += 1;
    else if ([name, owner].some((each) => resolved.has(`${caller} ${each}`))) elsewhere += 1;
    else open += 1;
  }
  return { theirs: theirs.size, found, right, elsewhere, open, unresolved: unresolvedOf(graphs) };
}

const CERTAIN = 0.9;
const CONSTRUCTORS = ['.__init__', '.__new__'];

/** A call, as one of the class and of each constructor of it. */
function constructions(edge: string): string[] {
  const called = edge.replace(/\.__(?:init|new)__$/, '');
  return [called, ...CONSTRUCTORS.map((each) => called + each)];
}

function unresolvedOf(graphs: readonly FileGraph[]): number {
  return graphs.flatMap((each) => each.unresolved).filter(({ kind }) => kind === 'calls').length;
}

/** Overloads share an id. */
export function withoutRepeats(key: string): string {
  return key.replaceAll(/~\d+/g, '');
}
