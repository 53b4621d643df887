import type { SymbolKind } from '@service-mcp/plugin-syntax/contract';
import type { ProjectGraph } from './project-graph.js';

export interface SymbolQuery {
  /** Part of a name or qualified name. */
  readonly query?: string | undefined;
  /** A file, or a directory. */
  readonly path?: string | undefined;
  readonly kind?: SymbolKind | undefined;
}

/** Symbols that match, the best names first, then in order of path and source. */
export function findSymbols(graph: ProjectGraph, { query, path, kind }: SymbolQuery): number[] {
  const wanted = query?.replaceAll(/::|(?<=\w)#/g, '.').toLowerCase();
  const tiers: number[][] = [[], [], [], []];
  const directory = path === undefined || path === '' || path.endsWith('/') ? (path ?? '') : `${path}/`;
  for (const [index, part] of graph.parts.entries()) {
    if (part.path !== path && !part.path.startsWith(directory)) continue;
    for (const [i, symbol] of part.symbols.entries()) {
      if (kind !== undefined && symbol.kind !== kind) continue;
      const tier =
        wanted === undefined ? 0 : tierOf(wanted, symbol.name, i === 0 ? part.path : symbol.qualifiedName);
      if (tier !== undefined) tiers[tier]!.push(graph.starts[index]! + i);
    }
  }
  return tiers.flat();
}

/** 0: the name; 1: the end of the qualified name; 2: the start of the name; 3: a part of it. */
function tierOf(wanted: string, name: string, qualifiedName: string): 0 | 1 | 2 | 3 | undefined {
  const known = name.toLowerCase();
  const whole = qualifiedName.toLowerCase();
  if (known === wanted || whole === wanted) return 0;
  if (whole.endsWith(`.${wanted}`) || whole.endsWith(`/${wanted}`)) return 1;
  if (known.startsWith(wanted)) return 2;
  return whole.includes(wanted) ? 3 : undefined;
}
