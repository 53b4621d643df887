import { createHash } from 'node:crypto';
import type { Embedder, Embedders, Passage } from '../../contract.js';
import { CHUNKER_VERSION } from '../chunking/chunk.js';
import { DIMENSIONS } from '../index/tables.js';
import { hashedEmbedding } from './hashed-embedder.js';
import type { Space, SpaceStore } from './space-store.js';
import { pack, TermEmbedder, type TermModel } from './term-model.js';

/** Models kept in memory, at most about 3 MB each. */
const MODELS_KEPT = 32;
/** How long the list of a workspace's spaces is cached: a swap by another process is seen after this. */
const FRESH_MS = 500;

/** An embedder with its weight beside BM25, and a warning for callers. */
export interface WorkspaceEmbedder extends Embedder {
  /** The weight of the semantic score in a fused one. */
  readonly fusionShare: number;
  readonly warning?: string;
}

/** The identity of a vector space: everything that shapes it, hashed. */
export function spaceIdOf(identity: {
  readonly provider: string;
  readonly model: string;
  readonly weights: string;
  readonly dimensions: number;
  readonly prefixes: readonly [query: string, passage: string];
  readonly pooling: string;
}): string {
  const { provider, model, weights, dimensions, prefixes, pooling } = identity;
  const parts = [provider, model, weights, dimensions, prefixes, pooling, CHUNKER_VERSION];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

const embedded = {
  provider: 'embedded',
  dimensions: DIMENSIONS,
  prefixes: ['', ''] as const,
  pooling: 'idf-mean',
};

export const HASHED_SPACE_ID = spaceIdOf({ ...embedded, model: 'hashed', weights: '1' });

export function trainedSpaceId(model: TermModel): string {
  return spaceIdOf({ ...embedded, model: 'ppmi-eigen', weights: pack(model).digest });
}

/** The embedders of each workspace: the untrained one until its own is trained. */
export class Spaces implements Embedders {
  readonly #store: SpaceStore;
  readonly #models = new Map<string, Promise<WorkspaceEmbedder>>();
  readonly #lists = new Map<string, { readonly at: number; readonly spaces: Promise<Space[]> }>();

  constructor(store: SpaceStore) {
    this.#store = store;
  }

  async active(workspaceId: string): Promise<WorkspaceEmbedder> {
    const spaces = await this.list(workspaceId);
    const active = spaces.find(({ state }) => state === 'active');
    return active ? this.#embedder(active) : hashed;
  }

  /** Every space that vectors of new documents must be written to. */
  async writing(workspaceId: string): Promise<readonly Embedder[]> {
    this.#lists.delete(workspaceId);
    const spaces = await this.list(workspaceId);
    if (spaces.length === 0) {
      const first = { workspaceId, spaceId: HASHED_SPACE_ID, kind: 'hashed', state: 'active' } as const;
      await this.#store.add({ ...first, dimensions: DIMENSIONS, chunks: 0, generation: 0, cursor: '' });
      this.#lists.delete(workspaceId);
      return [hashed];
    }
    const written = spaces.filter(({ state }) => state !== 'retired');
    return Promise.all(written.map((space) => this.#embedder(space)));
  }

  async embedderOf(space: Space): Promise<Embedder> {
    return this.#embedder(space);
  }

  /** Clears the cache of a workspace's spaces after a change. */
  changed(workspaceId: string): void {
    this.#lists.delete(workspaceId);
  }

  list(workspaceId: string): Promise<Space[]> {
    const known = this.#lists.get(workspaceId);
    if (known && Date.now() - known.at < FRESH_MS) return known.spaces;
    const spaces = this.#store.of(workspaceId);
    if (this.#lists.size > 10_000) this.#lists.clear();
    this.#lists.set(workspaceId, { at: Date.now(), spaces });
    spaces.catch(() => this.#lists.delete(workspaceId));
    return spaces;
  }

  #embedder(space: Space): Promise<WorkspaceEmbedder> {
    if (space.kind === 'hashed') return Promise.resolve(hashed);
    let embedder = this.#models.get(space.spaceId);
    this.#models.delete(space.spaceId);
    embedder ??= this.#load(space);
    this.#models.set(space.spaceId, embedder);
    embedder.catch(() => this.#models.delete(space.spaceId));
    for (const oldest of this.#models.keys()) {
      if (this.#models.size <= MODELS_KEPT) break;
      this.#models.delete(oldest);
    }
    return embedder;
  }

  async #load(space: Space): Promise<WorkspaceEmbedder> {
    const model = await this.#store.model(space.spaceId);
    if (!model) {
      this.changed(space.workspaceId);
      throw new Error('the model of a vector space is gone: its space was replaced');
    }
    const embedder = new TermEmbedder(model);
    return embedderFrom(space.spaceId, 'embedded/ppmi-eigen', 0.4, (text) => embedder.embed(text));
  }
}

const hashed = embedderFrom(
  HASHED_SPACE_ID,
  'embedded/hashed',
  0.15,
  (text) => hashedEmbedding(text, DIMENSIONS),
  'The embedder of this workspace is not trained yet (it trains by itself once some hundred chunks are indexed): semantic ranking goes by spelling, not meaning. Use search_keyword or search_hybrid meanwhile.',
);

function embedderFrom(
  spaceId: string,
  model: string,
  fusionShare: number,
  embed: (text: string) => Float32Array | null,
  warning?: string,
): WorkspaceEmbedder {
  return {
    spaceId,
    model,
    dimensions: DIMENSIONS,
    fusionShare,
    ...(warning !== undefined && { warning }),
    async embedPassages(passages: readonly Passage[], signal?: AbortSignal) {
      signal?.throwIfAborted();
      return passages.map(({ title, text }) => embed(`${title}\n${text}`));
    },
    async embedQuery(query: string, signal?: AbortSignal) {
      signal?.throwIfAborted();
      return embed(query);
    },
  };
}
