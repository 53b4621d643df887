/** Edges of a graph as arrays: see `Rows` of the graph plugin. */
export interface BareRows {
  readonly out: Int32Array;
  readonly targets: Int32Array;
  readonly in: Int32Array;
  readonly inSources: Int32Array;
}

/** Number of nodes that lead to a node: the plainest loop over the arrays. */
export function bareClosure({ in: offsets, inSources }: BareRows, root: number, size: number): number {
  const seen = new Uint8Array(size);
  const queue = new Int32Array(size);
  let count = 1;
  queue[0] = root;
  seen[root] = 1;
  for (let next = 0; next < count; next++) {
    const node = queue[next] ?? 0;
    const end = offsets[node + 1] ?? 0;
    for (let i = offsets[node] ?? 0; i < end; i++) {
      const source = inSources[i] ?? 0;
      if (seen[source] !== 0) continue;
      seen[source] = 1;
      queue[count++] = source;
    }
  }
  return count - 1;
}

/** The lengths of up to `most` shortest simple paths: distances by the plainest loop, then a search for each length. */
export function barePaths(
  rows: BareRows,
  from: number,
  to: number,
  limits: { readonly maxDepth: number; readonly maxPaths: number; readonly size: number },
): number[] {
  const { out, targets, in: offsets, inSources } = rows;
  const { maxDepth, maxPaths, size } = limits;
  const distances = new Uint8Array(size); // plus one
  const queue = new Int32Array(size);
  let count = 1;
  queue[0] = to;
  distances[to] = 1;
  for (let next = 0; next < count; next++) {
    const node = queue[next] ?? 0;
    const depth = distances[node] ?? 0;
    if (depth > maxDepth) break;
    const end = offsets[node + 1] ?? 0;
    for (let i = offsets[node] ?? 0; i < end; i++) {
      const source = inSources[i] ?? 0;
      if (distances[source] !== 0) continue;
      distances[source] = depth + 1;
      queue[count++] = source;
    }
  }
  const onPath = new Uint8Array(size);
  const lengths: number[] = [];
  let length = 1;
  const search = (node: number, left: number): void => {
    onPath[node] = 1;
    const end = out[node + 1] ?? 0;
    for (let i = out[node] ?? 0; i < end; i++) {
      const target = targets[i] ?? 0;
      const rest = distances[target] ?? 0;
      if (rest === 0 || rest > left || onPath[target] === 1) continue;
      if (target !== to) search(target, left - 1);
      else if (left === 1) lengths.push(length);
    }
    onPath[node] = 0;
  };
  for (; length <= maxDepth && lengths.length <= maxPaths; length++) search(from, length);
  return lengths.slice(0, maxPaths);
}
