import { EDGE_KINDS, edgeColumns, type EdgeColumns, type FilePart } from './file-part.js';

/**
 * Edges as compressed sparse rows. An edge is a number; edges are ordered by their source, so that those of node n are
 * `out[n]` to `out[n + 1]`, exclusive. Sources and targets are nodes.
 */
export interface Rows extends EdgeColumns {
  readonly out: Int32Array;
  /** The edges that end in node n are those at `in[n]` to `in[n + 1]`, exclusive, of `incoming`; ordered by their source. */
  readonly in: Int32Array;
  readonly incoming: Int32Array;
  /** Sources in the order of `incoming`: a search against the edges reads them in sequence. */
  readonly inSources: Int32Array;
  /** Kind times 256 plus confidence, of each edge, and in the order of `incoming`: a filter reads one number. */
  readonly outMarks: Uint16Array;
  readonly inMarks: Uint16Array;
}

/**
 * Lays out the edges of all parts over `size` nodes. `nodeOfId`: the node for each number of an id, -1 for an id without a
 * symbol; edges to such targets are left out.
 */
export function layOut(
  parts: readonly FilePart[],
  starts: Int32Array,
  nodeOfId: Int32Array,
  size: number,
): Rows {
  const total = parts.reduce((sum, part) => sum + part.sources.length, 0);
  const { sources, targets, kinds, reasons, confidences, lines } = edgeColumns(total);
  let edge = 0;
  for (const [index, part] of parts.entries()) {
    for (let i = 0; i < part.sources.length; i++) {
      const target = nodeOfId[part.targets[i]!]!;
      if (target < 0) continue;
      sources[edge] = starts[index]! + part.sources[i]!;
      targets[edge] = target;
      kinds[edge] = part.kinds[i]!;
      reasons[edge] = part.reasons[i]!;
      confidences[edge] = part.confidences[i]!;
      lines[edge++] = part.lines[i]!;
    }
  }
  const rows = {
    sources: sources.subarray(0, edge),
    targets: targets.subarray(0, edge),
    kinds: kinds.subarray(0, edge),
    reasons: reasons.subarray(0, edge),
    confidences: confidences.subarray(0, edge),
    lines: lines.subarray(0, edge),
  };
  const into = offsets(rows.targets, size);
  const incoming = groupBy(rows.targets, into);
  const outMarks = new Uint16Array(edge).map((_, i) => (kinds[i]! << 8) | confidences[i]!);
  return {
    ...rows,
    out: offsets(rows.sources, size),
    in: into,
    incoming,
    inSources: incoming.map((edge) => rows.sources[edge]!),
    outMarks,
    inMarks: new Uint16Array(incoming.length).map((_, i) => outMarks[incoming[i]!]!),
  };
}

/** A bit per kind, for {@link Rows.kinds}: `1 << EDGE_KINDS.indexOf(kind)`. */
export function kindMask(kinds: ReadonlyArray<(typeof EDGE_KINDS)[number]>): number {
  return kinds.reduce((mask, kind) => mask | (1 << EDGE_KINDS.indexOf(kind)), 0);
}

/** Start of the entries of each node, in an array grouped by {@link groupBy}. */
export function offsets(nodes: Int32Array, size: number): Int32Array {
  const starts = new Int32Array(size + 1);
  for (const node of nodes) starts[node + 1]!++;
  for (let node = 0; node < size; node++) starts[node + 1]! += starts[node]!;
  return starts;
}

/** Indexes of `nodes`, grouped by their value: a counting sort, which keeps their order. */
export function groupBy(nodes: Int32Array, starts: Int32Array): Int32Array {
  const next = starts.slice();
  const grouped = new Int32Array(nodes.length);
  for (let edge = 0; edge < nodes.length; edge++) grouped[next[nodes[edge]!]!++] = edge;
  return grouped;
}
