import { pageNote, plural, type PageOf } from '@service-mcp/core';
import { grouped, outline, stateLines } from './outline.js';
import type { Overview } from './query/overview.js';
import type { GraphState, GraphSymbol } from './schemas.js';

type GraphPage<T> = PageOf<T> & GraphState;

export function symbolsText(page: GraphPage<GraphSymbol>): string {
  const lines = grouped(
    page.items,
    ({ path }) => path,
    ({ kind, qualified_name, start_line, signature }) =>
      kind === 'module' && qualified_name === ''
        ? 'the file'
        : `${qualified_name}:${start_line} ${signature}`,
    (path) => path,
  );
  const next = page.items.length > 0 ? ['Ids are path#Qualified.name. Next: graph_dependencies.'] : [];
  return outline([], lines, [...pageLines(page, 'No such symbol.'), ...next]);
}

export function cyclesText(
  page: GraphPage<{
    readonly level: string;
    readonly size: number;
    readonly cycle: ReadonlyArray<{
      readonly id: string;
      readonly via: { readonly kind: string; readonly path: string; readonly line: number };
    }>;
  }>,
): string {
  const lines = page.items.flatMap(({ level, size, cycle }) => [
    `${size} ${level}s depend on each other; a shortest cycle:`,
    ...cycle.map(({ id, via }) => `  ${id} ${via.kind} at ${via.path}:${via.line} →`),
  ]);
  return outline([], lines, pageLines(page, 'No cycles are known.'));
}

export function unusedText(
  page: GraphPage<GraphSymbol & { readonly reason: string }> & { readonly uncertain: number },
): string {
  const lines = grouped(
    page.items,
    ({ path }) => path,
    ({ kind, qualified_name, start_line, reason }) => `${qualified_name}:${start_line} ${kind}. ${reason}`,
    (path) => path,
  );
  const uncertain =
    page.uncertain > 0
      ? [`Left out: ${page.uncertain}, because a call of their name has an unknown target.`]
      : [];
  const next = page.items.length > 0 ? ['Before you delete one, search_pattern for its name.'] : [];
  return outline([], lines, [...pageLines(page, 'No unused symbol is known.'), ...uncertain, ...next]);
}

const MAX_EDGES = 3;

export function overviewText(
  { nodes, edges, totals, truncated, ...state }: Overview & GraphState,
  { limit }: { readonly limit: number },
): string {
  const uses = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target, kind, count } of edges) {
    const shown = uses.get(source);
    if (shown && shown.length < MAX_EDGES) shown.push(`${target} (${count} ${kind})`);
  }
  const lines = nodes.map(({ id, files, symbols }) => {
    const used = uses.get(id)?.join(', ') ?? '';
    return `${id}: ${plural(files, 'file')}, ${plural(symbols, 'symbol')}${used === '' ? '' : `; uses ${used}`}`;
  });
  const head = [
    plural(totals.nodes, 'node'),
    plural(totals.files, 'file'),
    plural(totals.symbols, 'symbol'),
    plural(totals.edges, 'edge'),
  ].join(', ');
  const tail = [...stateLines(state), ...(truncated ? [`More: limit above ${limit}, or path_prefix.`] : [])];
  return outline([head], lines, tail);
}

function pageLines<T>(page: GraphPage<T>, none: string): string[] {
  return [page.total === 0 ? none : pageNote(page), ...stateLines(page)];
}
