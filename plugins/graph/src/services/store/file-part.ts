import { createHash } from 'node:crypto';
import type { ExternalUse, FileGraph, GraphEdge, GraphSymbol, Unresolved } from '../../model.js';
import { packJson, unpackJson } from './packed-json.js';

type SymbolRow = readonly [
  name: string,
  qualifiedName: string,
  kind: GraphSymbol['kind'],
  startLine: number,
  endLine: number,
  signature: string,
  parent: number | null,
  /** 1: exported, 2: test. */
  flags: number,
];

/** A `FileGraph` as rows: a quarter of the JSON of its objects, and as much faster to read. */
interface StoredPart {
  readonly path: string;
  readonly language: string | null;
  readonly complete: boolean;
  readonly note?: string;
  readonly symbols: readonly SymbolRow[];
  /** Ids of symbols that edges end in. */
  readonly targets: readonly string[];
  /** Source, index in `targets`, kind, line, confidence, reason of each edge, one after the other. */
  readonly edges: ReadonlyArray<number | GraphEdge['kind'] | GraphEdge['reason']>;
  readonly externals: ReadonlyArray<
    readonly [source: number, module: string, name: string | null, kind: ExternalUse['kind'], line: number]
  >;
  readonly unresolved: ReadonlyArray<
    readonly [source: number, name: string, kind: Unresolved['kind'], line: number]
  >;
}

const EDGE_FIELDS = 6;

/** The graph of a file as it is stored. Equal graphs have equal hashes. */
export function storedPart(graph: FileGraph): { readonly hash: string; readonly pack: () => Uint8Array } {
  const json = JSON.stringify(toRows(graph));
  return { hash: createHash('sha256').update(json).digest('base64url'), pack: () => packJson(json) };
}

function toRows({ path, language, complete, note, ...graph }: FileGraph): StoredPart {
  const targets = new Map<string, number>();
  const edges = graph.edges.flatMap(({ source, target, kind, line, confidence, reason }) => {
    const index = targets.get(target) ?? targets.size;
    targets.set(target, index);
    return [source, index, kind, line, confidence, reason];
  });
  return {
    path,
    language,
    complete,
    ...(note !== undefined && { note }),
    symbols: graph.symbols.map((each) => [
      each.name,
      each.qualifiedName,
      each.kind,
      each.startLine,
      each.endLine,
      each.signature,
      each.parent,
      (each.exported ? 1 : 0) + (each.test ? 2 : 0),
    ]),
    targets: [...targets.keys()],
    edges,
    externals: graph.externals.map(({ source, module, name, kind, line }) => [
      source,
      module,
      name ?? null,
      kind,
      line,
    ]),
    unresolved: graph.unresolved.map(({ source, name, kind, line }) => [source, name, kind, line]),
  };
}

export function readPart(packed: Uint8Array | ArrayBuffer): FileGraph {
  const { symbols, targets, edges, externals, unresolved, ...rest } = unpackJson<StoredPart>(packed);
  return {
    ...rest,
    symbols: symbols.map(
      ([name, qualifiedName, kind, startLine, endLine, signature, parent, flags]): GraphSymbol => ({
        name,
        qualifiedName,
        kind,
        startLine,
        endLine,
        signature,
        parent,
        exported: (flags & 1) > 0,
        test: (flags & 2) > 0,
      }),
    ),
    edges: Array.from({ length: edges.length / EDGE_FIELDS }, (_, index): GraphEdge => {
      const [source, target, kind, line, confidence, reason] = edges.slice(
        index * EDGE_FIELDS,
        (index + 1) * EDGE_FIELDS,
      ) as [number, number, GraphEdge['kind'], number, number, GraphEdge['reason']]; // as toRows lays them out
      return { source, target: targets[target] ?? '', kind, line, confidence, reason };
    }),
    externals: externals.map(([source, module, name, kind, line]): ExternalUse => {
      return { source, module, ...(name !== null && { name }), kind, line };
    }),
    unresolved: unresolved.map(([source, name, kind, line]): Unresolved => ({ source, name, kind, line })),
  };
}
