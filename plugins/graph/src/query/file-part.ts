import type { FileGraph, Reason } from '../model.js';
import type { IdTable } from './id-table.js';

export const EDGE_KINDS = ['imports', 'calls', 'references', 'extends', 'implements', 'contains'] as const;
export const REASONS = [
  'import',
  'scope',
  'type',
  'flow',
  'hierarchy',
  'unique_name',
] as const satisfies Reason[];

/** Objects, headers of strings and an entry in the table of ids. */
const SYMBOL_BYTES = 320;
const RECORD_BYTES = 96;
const EDGE_BYTES = 15;

/** Edges by column: one entry per edge, ordered by source. */
export interface EdgeColumns {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  /** Indexes in `EDGE_KINDS`. */
  readonly kinds: Uint8Array;
  /** Indexes in `REASONS`. */
  readonly reasons: Uint8Array;
  /** In hundredths. */
  readonly confidences: Uint8Array;
  readonly lines: Int32Array;
}

/** Columns of a number of edges, all zero. */
export function edgeColumns(edges: number): EdgeColumns {
  return {
    sources: new Int32Array(edges),
    targets: new Int32Array(edges),
    kinds: new Uint8Array(edges),
    reasons: new Uint8Array(edges),
    confidences: new Uint8Array(edges),
    lines: new Int32Array(edges),
  };
}

/**
 * A `FileGraph` laid out once: the parts of unchanged files serve every later graph of the project. Sources of edges are
 * indexes in `symbols`, targets are numbers of ids.
 */
export interface FilePart
  extends
    EdgeColumns,
    Pick<FileGraph, 'path' | 'language' | 'complete' | 'note' | 'symbols' | 'externals' | 'unresolved'> {
  /** Numbers of the ids of the symbols, in the table of the graph. */
  readonly ids: Int32Array;
  /** Indexes in `symbols`; -1 for the module. */
  readonly parents: Int32Array;
  /** Estimate of its memory, in bytes. */
  readonly bytes: number;
}

/** The id of a symbol: `path` of the module, else `path#Qualified.name` (contract.md 6). */
export function symbolId(path: string, symbol: number, qualifiedName: string): string {
  return symbol === 0 ? path : `${path}#${qualifiedName}`;
}

export function filePart(file: FileGraph, table: IdTable): FilePart {
  const { edges: _, ...rest } = file;
  const { path, symbols } = file;
  const edges = file.edges.toSorted((a, b) => a.source - b.source);
  const part = {
    ...rest,
    ids: new Int32Array(symbols.length),
    parents: new Int32Array(symbols.length),
    ...edgeColumns(edges.length),
  };
  let characters = 0;
  for (const [i, { name, qualifiedName, signature, parent }] of symbols.entries()) {
    const id = symbolId(path, i, qualifiedName);
    part.ids[i] = table.number(id);
    part.parents[i] = i === 0 ? -1 : (parent ?? 0);
    characters += id.length + name.length + qualifiedName.length + signature.length;
  }
  for (const [i, { source, target, kind, reason, confidence, line }] of edges.entries()) {
    part.sources[i] = source;
    part.targets[i] = table.number(target);
    part.kinds[i] = EDGE_KINDS.indexOf(kind);
    part.reasons[i] = REASONS.indexOf(reason);
    part.confidences[i] = Math.round(confidence * 100);
    part.lines[i] = line;
  }
  const records = file.externals.length + file.unresolved.length;
  const bytes =
    characters + symbols.length * SYMBOL_BYTES + edges.length * EDGE_BYTES + records * RECORD_BYTES;
  return { ...part, bytes };
}
