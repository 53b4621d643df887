/** Edges as compressed sparse rows: those of node n end in `targets[starts[n]]` to `targets[starts[n + 1]]`, exclusive. */
export interface Adjacency {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** The strongly connected components of two nodes or more, each in ascending order (Tarjan, without recursion). */
export function components({ starts, targets }: Adjacency): number[][] {
  const size = starts.length - 1;
  const index = new Int32Array(size); // order of the first visit, from 1
  const low = new Int32Array(size);
  const onStack = new Uint8Array(size);
  const next = starts.slice(0, size);
  const stack: number[] = [];
  const path: number[] = [];
  const found: number[][] = [];
  let visits = 0;
  const visit = (node: number) => {
    index[node] = low[node] = ++visits;
    onStack[node] = 1;
    stack.push(node);
    path.push(node);
  };
  for (let root = 0; root < size; root++) {
    if (index[root] !== 0) continue;
    visit(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (next[node]! < starts[node + 1]!) {
        const target = targets[next[node]!++]!;
        if (index[target] === 0) visit(target);
        else if (onStack[target] === 1) low[node] = Math.min(low[node]!, index[target]!);
        continue;
      }
      path.pop();
      const caller = path.at(-1);
      if (caller !== undefined) low[caller] = Math.min(low[caller]!, low[node]!);
      if (low[node] !== index[node]) continue;
      const component = stack.splice(stack.lastIndexOf(node));
      for (const member of component) onStack[member] = 0;
      if (component.length > 1) found.push(component.sort((a, b) => a - b));
    }
  }
  return found;
}

/** The nodes of a shortest path from one node to another inside a component, without the end; empty if there is none. Counts the edges. */
export function shortestWay(
  { starts, targets }: Adjacency,
  from: number,
  to: number,
  component: ReadonlySet<number>,
  visited = { edges: 0 },
): number[] {
  const before = new Map<number, number>([[from, -1]]);
  const queue = [from];
  for (const node of queue) {
    visited.edges += starts[node + 1]! - starts[node]!;
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const target = targets[i]!;
      if (target === to && node !== to) {
        const way: number[] = [];
        for (let at = node; at >= 0; at = before.get(at) ?? -1) way.push(at);
        return way.reverse();
      }
      if (!component.has(target) || before.has(target)) continue;
      before.set(target, node);
      queue.push(target);
    }
  }
  return [];
}
