import type { CodeFacts } from '@service-mcp/plugin-graph/contract';
import type { FoundFile } from './evidence.js';

/** Files that change together, and the groups whose code they use. */
export interface Group {
  /** The directory that holds them all; empty for the root. */
  readonly directory: string;
  readonly projectId: string;
  /** The best first. */
  readonly files: readonly FoundFile[];
  /** Indexes of earlier groups. */
  readonly uses: readonly number[];
}

interface Cluster {
  directory: string;
  readonly projectId: string;
  files: FoundFile[];
}

/**
 * Files by directory, at most `limit` groups, what is used before what uses it. Of too many groups, the nearest ones are
 * joined; in a cycle, the group that needs least of the others comes first.
 */
export function groupFiles(
  files: readonly FoundFile[],
  facts: ReadonlyMap<string, CodeFacts>,
  limit: number,
): Group[] {
  const clusters = clustersOf(files);
  while (clusters.length > Math.max(1, limit)) joinNearest(clusters);
  const uses = usesOf(clusters, facts);
  const order = ordered(clusters, uses);
  const placeOf = new Map(order.map((cluster, place) => [cluster, place]));
  return order.map((cluster, place) => ({
    ...cluster,
    uses: [...uses.get(cluster)!.keys()]
      .map((other) => placeOf.get(other)!)
      .filter((other) => other < place)
      .sort((a, b) => a - b),
  }));
}

function clustersOf(files: readonly FoundFile[]): Cluster[] {
  const byPlace = new Map<string, Cluster>();
  for (const file of files) {
    const directory = file.path.split('/').slice(0, -1).join('/');
    const key = `${file.projectId} ${directory}`;
    const known = byPlace.get(key);
    if (known) known.files.push(file);
    else byPlace.set(key, { directory, projectId: file.projectId, files: [file] });
  }
  return [...byPlace.values()];
}

/** Joins the two clusters that share the longest path; of equal ones, the smallest. */
function joinNearest(clusters: Cluster[]): void {
  let best:
    | { readonly a: number; readonly b: number; readonly shared: number; readonly size: number }
    | undefined;
  for (let a = 0; a < clusters.length; a++)
    for (let b = a + 1; b < clusters.length; b++) {
      const [one, other] = [clusters[a]!, clusters[b]!];
      const shared =
        one.projectId === other.projectId ? sharedPath(one.directory, other.directory).length : -1;
      const size = one.files.length + other.files.length;
      if (!best || shared > best.shared || (shared === best.shared && size < best.size))
        best = { a, b, shared, size };
    }
  if (!best) return;
  const [one] = [clusters[best.a]!];
  const [other] = clusters.splice(best.b, 1);
  one.directory = sharedPath(one.directory, other!.directory).join('/');
  one.files = [...one.files, ...other!.files].sort((a, b) => b.score - a.score);
}

function sharedPath(a: string, b: string): string[] {
  const [one, other] = [a.split('/'), b.split('/')];
  const differs = one.findIndex((name, i) => name !== other[i]);
  return differs < 0 ? one : one.slice(0, differs);
}

type Uses = ReadonlyMap<Cluster, ReadonlyMap<Cluster, number>>;

/** How often each cluster uses the others. */
function usesOf(clusters: readonly Cluster[], facts: ReadonlyMap<string, CodeFacts>): Uses {
  const clusterOf = new Map(
    clusters.flatMap((cluster) =>
      cluster.files.map(({ projectId, path }) => [`${projectId} ${path}`, cluster] as const),
    ),
  );
  return new Map(
    clusters.map((cluster) => {
      const used = new Map<Cluster, number>();
      for (const { projectId, path } of cluster.files)
        for (const [other, count] of facts.get(projectId)?.linksOf(path).uses ?? []) {
          const target = clusterOf.get(`${projectId} ${other}`);
          if (target && target !== cluster) used.set(target, (used.get(target) ?? 0) + count);
        }
      return [cluster, used];
    }),
  );
}

/** What needs least of what is still to come is next; of equals, what is used most by it, then the better one. */
function ordered(clusters: readonly Cluster[], uses: Uses): Cluster[] {
  const left = new Set(clusters);
  const order: Cluster[] = [];
  const sum = (from: Iterable<Cluster>, count: (other: Cluster) => number) =>
    [...from].reduce((total, other) => total + count(other), 0);
  while (left.size > 0) {
    const [next] = [...left]
      .map((cluster) => ({
        cluster,
        needs: sum(left, (other) => uses.get(cluster)!.get(other) ?? 0),
        serves: sum(left, (other) => uses.get(other)!.get(cluster) ?? 0),
      }))
      .sort((a, b) => a.needs - b.needs || b.serves - a.serves);
    order.push(next!.cluster);
    left.delete(next!.cluster);
  }
  return order;
}
