import type { FileGraph, GraphSymbol, ExternalUse, Reason, Unresolved } from '../model.js';

export const EDGE_KINDS = ['imports', 'calls', 'references', 'extends', 'implements', 'contains'] as const;
export const REASONS = [
  'import',
  'scope',
  'type',
  'flow',
  'hierarchy',
  'unique_name',
] as const satisfies Reason[];

const SYMBOL_BYTES = 160;
const STRING_BYTES = 24;
const RECORD_BYTES = 96;
const EDGE_BYTES = 15;

/** A `FileGraph` as rows, laid out once: the parts of unchanged files serve every later graph of the project. */
export interface FilePart extends Pick<FileGraph, 'path' | 'language' | 'complete' | 'note'> {
  readonly symbols: readonly GraphSymbol[];
  /** Ids of the symbols. */
  readonly ids: readonly string[];
  /** One entry per edge, ordered by source. */
  readonly sources: Int32Array;
  /** Indexes in `targetIds`, one per edge. */
  readonly targets: Int32Array;
  readonly targetIds: readonly string[];
  /** Indexes in `EDGE_KINDS`. */
  readonly kinds: Uint8Array;
  /** Indexes in `REASONS`. */
  readonly reasons: Uint8Array;
  /** In hundredths. */
  readonly confidences: Uint8Array;
  readonly lines: Int32Array;
  readonly externals: readonly ExternalUse[];
  readonly unresolved: readonly Unresolved[];
  /** Estimate of the memory it holds. */
  readonly bytes: number;
}

/** The id of a symbol: `path` of the module, else `path#Qualified.name` (contract.md 6). */
export function symbolId(path: string, symbol: number, qualifiedName: string): string {
  return symbol === 0 ? path : `${path}#${qualifiedName}`;
}

export function filePart(file: FileGraph): FilePart {
  const { path, language, complete, note, symbols, externals, unresolved } = file;
  const edges = [...file.edges].sort((a, b) => a.source - b.source);
  const ids = symbols.map(({ qualifiedName }, index) => symbolId(path, index, qualifiedName));
  const targetIds = [...new Set(edges.map(({ target }) => target))];
  const targetIndex = new Map(targetIds.map((id, index) => [id, index]));
  const strings = [...ids, ...targetIds, ...symbols.flatMap((symbol) => [symbol.name, symbol.signature])];
  return {
    path,
    language,
    complete,
    ...(note !== undefined && { note }),
    symbols,
    ids,
    sources: Int32Array.from(edges, ({ source }) => source),
    targets: Int32Array.from(edges, ({ target }) => targetIndex.get(target) ?? 0), // every target has an index
    targetIds,
    kinds: Uint8Array.from(edges, ({ kind }) => EDGE_KINDS.indexOf(kind)),
    reasons: Uint8Array.from(edges, ({ reason }) => REASONS.indexOf(reason)),
    confidences: Uint8Array.from(edges, ({ confidence }) => Math.round(confidence * 100)),
    lines: Int32Array.from(edges, ({ line }) => line),
    externals,
    unresolved,
    bytes:
      strings.reduce((sum, text) => sum + STRING_BYTES + text.length, 0) +
      symbols.length * SYMBOL_BYTES +
      edges.length * EDGE_BYTES +
      (externals.length + unresolved.length) * RECORD_BYTES,
  };
}
