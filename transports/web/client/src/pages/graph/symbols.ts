import type { Input, Output } from '../../api/call.js';
import { splitSymbol } from '../../ui/split-symbol.js';

type Dependencies = Output<'graph_dependencies'>;

export type GraphSymbol = Dependencies['target'];
export type Neighbour = Dependencies['dependents'][number];
export type Edge = Neighbour['via'][number];

/** The target of a tool, by the id of a symbol: `src/store.ts#Store.get`, or `src/store.ts` for a file. */
export function targetOf(id: string): Input<'graph_dependencies'>['target'] {
  return { type: splitSymbol(id).symbol === undefined ? 'module' : 'function', id };
}

/** How a person names a symbol: a file by its path, everything else by its name with the names around it. */
export const symbolName = ({ kind, path, qualified_name }: GraphSymbol): string =>
  kind === 'module' ? path : qualified_name;

/** A name in this many characters: its end says more than its start. */
export const cut = (name: string, room: number): string =>
  name.length > room ? `…${name.slice(name.length - room + 1)}` : name;

const KINDS: Readonly<Partial<Record<GraphSymbol['kind'], string>>> = { module: 'file' };
export const kindName = (kind: GraphSymbol['kind']): string => KINDS[kind] ?? kind;

export const EDGE_WORDS: Readonly<Record<Edge['kind'], string>> = {
  calls: 'calls',
  imports: 'imports',
  references: 'mentions',
  extends: 'extends',
  implements: 'implements',
  contains: 'contains',
};

export const REASON_WORDS: Readonly<Record<Edge['reason'], string>> = {
  type: 'by type',
  import: 'by import',
  scope: 'by scope',
  flow: 'by data flow',
  hierarchy: 'by inheritance',
  unique_name: 'by name alone',
};

/** Edges below it rest on a name alone. */
const GUESS = 0.5;
export const isGuess = (confidence: number): boolean => confidence < GUESS;
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Items by the file of their symbol, in the order that the files came in; inside a file by line. */
export function byFile<T extends { readonly symbol: GraphSymbol }>(
  items: readonly T[],
): readonly (readonly [path: string, items: readonly T[]])[] {
  const files = new Map<string, T[]>();
  for (const item of items) {
    const file = files.get(item.symbol.path);
    if (file) file.push(item);
    else files.set(item.symbol.path, [item]);
  }
  for (const inside of files.values()) inside.sort((a, b) => a.symbol.start_line - b.symbol.start_line);
  return [...files];
}

/** A place in the address, such as `src/store.ts:12` or `src/store.ts:12-20`. No lines where it names none. */
export function placeOf(text: string): {
  readonly path: string;
  readonly hit?: readonly [from: number, to: number];
} {
  const [, path = '', from = '', to = from] = /^(.+):([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (path === '') return { path: '' };
  return { path, hit: [Number(from), Math.max(Number(from), Number(to))] };
}

export const byNumber = (a: number, b: number): number => a - b;
