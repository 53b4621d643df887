import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import type { CheckerCalls } from './graph-call-oracle.js';
import type { Imports } from './graph-import-oracles.js';
import type { Sources } from './graph-sources.js';

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

/** Calls from function to function: anonymous functions, variables and classes around a call fold into what is around. */
export function scoreCalls(graphs: readonly FileGraph[], oracle: CheckerCalls): CallScore {
  const ours = new Map<string, Called>();
  for (const { path, symbols, edges } of graphs) {
    for (const { kind, source, target, line, reason, confidence } of edges) {
      if (kind !== 'calls') continue;
      let at = source;
      while (at !== 0 && !/^(?:function|method)$/.test(symbols[at]?.kind ?? ''))
        at = symbols[at]?.parent ?? 0;
      const caller = at === 0 ? path : `${path}#${symbols[at]?.qualifiedName}`;
      const key = withoutRepeats(`${caller} ${target}`);
      const known = ours.get(key);
      if (!known || known.confidence < confidence) ours.set(key, { path, line, reason, confidence });
    }
  }
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
    unresolved: graphs.flatMap((each) => each.unresolved).filter(({ kind }) => kind === 'calls').length,
  };
}

/** Overloads share an id. */
function withoutRepeats(key: string): string {
  return key.replaceAll(/~\d+/g, '');
}
