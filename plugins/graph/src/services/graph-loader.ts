import type { FileChanges, IndexStatuses } from '@service-mcp/plugin-workspaces/contract';
import { LRUCache } from 'lru-cache';
import { ProjectGraph } from '../query/project-graph.js';
import type { ProjectGraphs } from '../query/project-graphs.js';
import type { GraphStore } from './store/graph-store.js';

interface Loaded {
  readonly graph: ProjectGraph;
  readonly generation: number;
}

/** A project that is written while it is read is read again, but not for ever. */
const MAX_READS = 5;
const EMPTY: Loaded = { graph: ProjectGraph.from([]), generation: 0 };

/** Reads graphs from SQL, and keeps the recently used ones: of those, only what changed since is read again. */
export class GraphLoader implements ProjectGraphs {
  readonly #store: GraphStore;
  readonly #statuses: IndexStatuses;
  readonly #changes: FileChanges;
  readonly #cache: LRUCache<string, Loaded>;
  readonly #loading = new Map<string, Promise<Loaded>>();

  constructor(store: GraphStore, statuses: IndexStatuses, changes: FileChanges, cacheBytes: number) {
    this.#store = store;
    this.#statuses = statuses;
    this.#changes = changes;
    // One that is larger than the cache is kept alone: the next call would read all of it again.
    const sizeCalculation = ({ graph }: Loaded): number => Math.min(graph.bytes + 1, cacheBytes);
    this.#cache = new LRUCache({ maxSize: cacheBytes, sizeCalculation });
  }

  async read(projectId: string, workspaceId: string): ReturnType<ProjectGraphs['read']> {
    const state = await this.#statuses.glance(workspaceId, projectId); // before the graph, which is then not older
    const index = { ...state, unread: state.pending === 0 ? 0 : await this.#changes.pendingIn(projectId) };
    const { graph } = await this.#current(projectId);
    return { graph, index };
  }

  /** Bytes of the graphs in memory. */
  get bytes(): number {
    return [...this.#cache.values()].reduce((sum, { graph }) => sum + graph.bytes, 0);
  }

  /** Concurrent readers of a project share a load that begins after they asked. */
  async #current(projectId: string): Promise<Loaded> {
    const generation = await this.#store.generation(projectId);
    const cached = this.#cache.get(projectId);
    if (cached?.generation === generation) return cached;
    const running = this.#loading.get(projectId);
    if (running) {
      const loaded = await running;
      return loaded.generation >= generation ? loaded : this.#current(projectId);
    }
    const loading = this.#load(projectId, cached ?? EMPTY, generation);
    this.#loading.set(projectId, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(projectId);
    }
  }

  async #load(projectId: string, cached: Loaded, generation: number): Promise<Loaded> {
    let loaded = cached;
    let latest = generation;
    for (let reads = 0; reads < MAX_READS && loaded.generation !== latest; reads++) {
      loaded = { graph: await this.#follow(projectId, loaded), generation: latest };
      latest = await this.#store.generation(projectId);
    }
    if (loaded.generation === 0) this.#cache.delete(projectId);
    else this.#cache.set(projectId, loaded);
    return loaded;
  }

  /** Applies what changed since the generation of `loaded`. */
  async #follow(projectId: string, { graph, generation }: Loaded): Promise<ProjectGraph> {
    const written: Parameters<ProjectGraph['replace']>[0][] = [];
    for await (const parts of this.#store.partsAfter(projectId, generation)) written.push(parts);
    const paths = await this.#store.paths(projectId);
    const removed = graph.parts.flatMap(({ path }) => (paths.has(path) ? [] : [path]));
    return graph.replace(
      written.flatMap((parts) => [...parts]),
      removed,
    );
  }
}
