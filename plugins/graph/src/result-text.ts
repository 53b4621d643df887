import { oneLine, plural } from '@service-mcp/core';
import { clipped, grouped, outline, stateLines } from './outline.js';
import { MAX_CALLS } from './query/call-paths.js';
import type { Affected, GraphState, GraphSymbol, Related } from './schemas.js';

interface Counts {
  readonly by_depth: object;
  readonly by_area: object;
}

interface DependenciesAnswer extends GraphState {
  readonly target: GraphSymbol;
  readonly dependencies: readonly Related[];
  readonly dependents: readonly Related[];
  readonly cycles: ReadonlyArray<readonly string[]>;
  readonly external: ReadonlyArray<{ readonly name: string; readonly version?: string }>;
  readonly totals: Counts & { readonly dependencies: number; readonly dependents: number };
  readonly unresolved_count: number;
  readonly truncated: boolean;
  readonly mermaid?: string;
  readonly dot?: string;
}

/** Dependencies and dependents of a symbol by area, or the requested diagram. */
export function dependenciesText(
  answer: DependenciesAnswer,
  { direction, limit }: { readonly direction: string; readonly limit: number },
): string {
  const { target, dependencies, dependents, totals, external, cycles } = answer;
  const diagram = answer.mermaid ?? answer.dot;
  const packages = external.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const list = (title: string, items: readonly Related[], total: number) =>
    total === 0 ? [`${title}: none known.`] : [`${title}: ${total}`, ...byArea(items, totals)];
  const lines = [
    ...(direction === 'out' ? [] : list('Used by', dependents, totals.dependents)),
    ...(direction === 'in' ? [] : list('Uses', dependencies, totals.dependencies)),
  ];
  const tail = [
    ...(packages.length > 0 ? [`Outside the project: ${packages.join(', ')}`] : []),
    ...cycles.slice(0, 3).map((cycle) => `Cycle: ${[...cycle, cycle[0]].join(' → ')}`),
    ...unresolvedLine(answer.unresolved_count),
    ...stateLines(answer),
    ...(answer.truncated ? [`More: limit above ${limit}, or kinds.`] : []),
    ...(totals.dependents > 0
      ? ['Next: graph_impact_analysis lists everything that a change may affect.']
      : []),
  ];
  // Whole: a part of a diagram cannot be drawn.
  if (diagram !== undefined) return [diagram, ...tail.map(clipped)].join('\n');
  return outline([describe(target)], lines, tail);
}

interface ImpactAnswer extends GraphState {
  readonly target: GraphSymbol;
  readonly risk_level: string;
  readonly reasons: readonly string[];
  readonly affected: readonly Affected[];
  readonly affected_tests: readonly GraphSymbol[];
  readonly overriding_methods: readonly GraphSymbol[];
  readonly related_decisions: ReadonlyArray<{
    readonly id: string;
    readonly title: string;
    readonly decided_at: string;
  }>;
  readonly totals: Counts & { readonly affected: number; readonly modules: number; readonly tests: number };
  readonly unresolved_count: number;
  readonly truncated: boolean;
}

/** The risk with its reasons, then the affected symbols by area. */
export function impactText(
  answer: ImpactAnswer,
  { change_type, limit }: { change_type: string; limit: number },
): string {
  const { target, totals, affected_tests: tests, related_decisions: decisions } = answer;
  const head = [
    describe(target),
    `${change_type} has ${answer.risk_level} risk:`,
    ...answer.reasons.map((reason) => `- ${reason}`),
    `Affected: ${plural(totals.affected, 'symbol')} in ${plural(totals.modules, 'module')} (by steps: ${countsText(totals.by_depth)})`,
  ];
  const tail = [
    ...(tests.length > 0 ? [`Tests to run (${totals.tests}): ${pathsOf(tests).join(', ')}`] : []),
    ...(answer.overriding_methods.length > 0
      ? [`Overriding methods: ${answer.overriding_methods.map(({ id }) => id).join(', ')}`]
      : []),
    ...decisions.map(
      ({ id, title, decided_at }) => `Decision ${decided_at.slice(0, 10)}: ${oneLine(title)} [${id}]`,
    ),
    ...stateLines(answer),
    ...(totals.affected > answer.affected.length ? [`More: limit above ${limit}.`] : []),
    ...unresolvedLine(answer.unresolved_count),
    ...(totals.affected > 0
      ? [`Next: graph_call_paths from a caller to ${target.id} shows each call in between.`]
      : []),
  ];
  return outline(head, byArea(answer.affected, totals), tail);
}

interface PathsAnswer extends GraphState {
  readonly paths: ReadonlyArray<{
    readonly hops: ReadonlyArray<{
      readonly symbol: GraphSymbol;
      readonly call_site?: { readonly path: string; readonly line: number; readonly snippet: string };
    }>;
    readonly length: number;
    readonly confidence: number;
  }>;
  readonly shortest_path_length: number | null;
  readonly furthest?: { readonly symbol: GraphSymbol; readonly depth: number; readonly reached: number };
  readonly unresolved_count: number;
  readonly truncated: boolean;
}

/** A block for each path: its calls, each with its line of code. */
export function callPathsText(
  answer: PathsAnswer,
  {
    direction,
    max_depth,
    max_paths,
    to,
  }: { direction: string; max_depth: number; max_paths: number; to?: object },
): string {
  const { paths, furthest, truncated } = answer;
  const arrow = direction === 'callees' ? '→' : '←';
  const lines = paths.flatMap(({ hops, length, confidence }, i) => [
    `${i + 1}. ${plural(length, 'call')}, confidence ${confidence}`,
    ...hops.map(({ symbol, call_site }, hop) =>
      call_site
        ? `  ${'  '.repeat(Math.min(hop, 10) - 1)}${arrow} ${symbol.id} at ${call_site.path}:${call_site.line} ${call_site.snippet}`
        : `  ${symbol.id}`,
    ),
  ]);
  const stopped = furthest
    ? [
        furthest.reached === 0
          ? `${furthest.symbol.id} ${direction === 'callees' ? 'calls nothing' : 'is called by nothing'} in the project outside itself.`
          : `No path of up to ${plural(max_depth, 'call')}. The search reached ${plural(furthest.reached, 'symbol')}; the furthest is ${furthest.symbol.id}, ${plural(furthest.depth, 'call')} away.`,
        ...unresolvedLine(answer.unresolved_count),
      ]
    : [];
  const more =
    to === undefined && paths.length < max_paths
      ? `Calls go on after ${plural(max_depth, 'call')}: ${max_depth < MAX_CALLS ? `max_depth above ${max_depth} follows them` : 'ask again from the last ones'}.`
      : `There may be more paths: max_paths above ${max_paths}.`;
  const tail = [...stateLines(answer), ...(truncated ? [more] : [])];
  return outline(
    [paths.length > 0 ? `${plural(paths.length, 'path')}:` : 'No path is known.', ...stopped],
    lines,
    tail,
  );
}

function describe({ kind, id, start_line, signature }: GraphSymbol): string {
  return `${kind} ${id} (line ${start_line})${kind === 'module' ? '' : `: ${signature}`}`;
}

function byArea(items: readonly (Related | Affected)[], { by_area }: Counts): string[] {
  const counts = new Map(Object.entries(by_area));
  return grouped(
    items,
    ({ area }) => area,
    lineOf,
    (area) => (counts.has(area) ? `${area} (${counts.get(area)})` : area),
  );
}

/** `2 Store.get src/store.ts:10, calls at src/api.ts:20, scope, 0.95`. */
function lineOf({ symbol, depth, via, confidence }: Related | Affected): string {
  const [edge] = via;
  const name = symbol.qualified_name === '' ? '' : `${symbol.qualified_name} `;
  const why = edge
    ? `, ${edge.kind} at ${edge.path === symbol.path ? 'line ' : `${edge.path}:`}${edge.line}, ${edge.reason}`
    : '';
  return `${depth} ${name}${symbol.path}:${symbol.start_line}${why}, ${confidence}`;
}

function unresolvedLine(count: number): string[] {
  if (count === 0) return [];
  return [
    `${plural(count, 'call')} with an unknown target may belong here too: search_pattern finds them by name.`,
  ];
}

function countsText(counts: object): string {
  return (
    Object.entries(counts)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ') || 'none'
  );
}

const MAX_PATHS = 20;

function pathsOf(symbols: readonly GraphSymbol[]): string[] {
  const paths = [...new Set(symbols.map(({ path }) => path))];
  return paths.length <= MAX_PATHS ? paths : [...paths.slice(0, MAX_PATHS), '…'];
}
