import { createHash } from 'node:crypto';
import type { Embedder, Embedders, Passage } from '../../contract.js';
import { analyse, countTerms } from '../analysis/analyse.js';
import { CHUNKER_VERSION } from '../chunking/chunk.js';
import { DIMENSIONS } from '../index/tables.js';
import { embedTermsBy, type EmbedTerms } from './embed-terms.js';
import type { Space, SpaceStore } from './space-store.js';
import { pack, type TermModel } from './term-model.js';

/** Models kept in memory, at most about 3 MB each. */
const MAX_MODELS = 32;
/** How long the list of a workspace's spaces is cached: a swap by another process is seen after this. */
const LIST_TTL_MS = 500;
const MAX_LISTS = 10_000;

/** The weight of a perfect hit, by measurement: ADR 39. */
const FUSION_SHARES = { hashed: 0.5, trained: 0.7, tuned: 0.8 } as const;

/** An embedder whose nearest chunk is far knows little of the query, and would drag BM25 down. */
const shareOf =
  (kind: keyof typeof FUSION_SHARES) =>
  (nearest: number): number =>
    FUSION_SHARES[kind] * nearest ** 2;

/** An embedder with its weight beside BM25, and a warning for callers. */
export interface WorkspaceEmbedder extends Embedder {
  /** The weight of the semantic score in a fused one, 0 to 1, where the nearest chunk has this cosine. */
  readonly fusionShare: (nearest: number) => number;
  readonly warning?: string;
}

/** The identity of a vector space: a hash of everything that shapes it. */
function spaceIdOf(model: string, weights: string): string {
  const prefixes = ['', '']; // of queries and of passages
  const parts = ['embedded', model, weights, DIMENSIONS, prefixes, 'idf-mean', CHUNKER_VERSION];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

export function tunedSpaceId(model: TermModel): string {
  return spaceIdOf('contrastive', pack(model).digest);
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
    const active = (await this.#list(workspaceId)).find(({ state }) => state === 'active');
    return active ? this.embedder(active) : HASHED;
  }

  /** Every space that vectors of new documents must be written to. */
  async writing(workspaceId: string): Promise<readonly Embedder[]> {
    this.changed(workspaceId);
    const spaces = await this.#list(workspaceId);
    if (spaces.length > 0) {
      return Promise.all(
        spaces.filter(({ state }) => state !== 'retired').map((space) => this.embedder(space)),
      );
    }
    const { spaceId: space_id, dimensions } = HASHED;
    const first = { workspace_id: workspaceId, space_id, kind: 'hashed', state: 'active' } as const;
    await this.#store.add({ ...first, dimensions, chunks: 0, generation: 0, cursor: '' });
    this.changed(workspaceId);
    return [HASHED];
  }

  /** Clears the cache of a workspace's spaces after a change. */
  changed(workspaceId: string): void {
    this.#lists.delete(workspaceId);
  }

  async embedder(space: Space): Promise<WorkspaceEmbedder> {
    if (space.kind === 'hashed') return HASHED;
    const id = space.space_id;
    const embedder = this.#models.get(id) ?? this.#load(space);
    this.#models.delete(id); // the newest last
    this.#models.set(id, embedder);
    embedder.catch(() => this.#models.delete(id));
    const [oldest] = this.#models.size > MAX_MODELS ? this.#models.keys() : [];
    if (oldest !== undefined) this.#models.delete(oldest);
    return embedder;
  }

  #list(workspaceId: string): Promise<Space[]> {
    const known = this.#lists.get(workspaceId);
    if (known && Date.now() - known.at < LIST_TTL_MS) return known.spaces;
    const spaces = this.#store.list(workspaceId);
    if (this.#lists.size > MAX_LISTS) this.#lists.clear();
    this.#lists.set(workspaceId, { at: Date.now(), spaces });
    spaces.catch(() => this.changed(workspaceId));
    return spaces;
  }

  async #load(space: Space): Promise<WorkspaceEmbedder> {
    const { space_id, kind } = space;
    return embedderFrom(embedTermsBy(await this.#packedModel(space)), {
      packedModel: () => this.#packedModel(space),
      spaceId: space_id,
      model: `embedded/${kind}`,
      fusionShare: shareOf(kind),
    });
  }

  async #packedModel({ space_id, workspace_id }: Space): Promise<Uint8Array> {
    const packed = await this.#store.packedModel(space_id);
    if (packed) return packed;
    this.changed(workspace_id);
    throw new Error('the model of a vector space is gone: its space was replaced');
  }
}

const HASHED = embedderFrom(embedTermsBy(undefined), {
  packedModel: () => Promise.resolve(undefined),
  spaceId: spaceIdOf('hashed', '1'),
  model: 'embedded/hashed',
  fusionShare: shareOf('hashed'),
  warning:
    'The embedder of this workspace is not trained yet (it trains by itself once about fifty chunks are indexed): semantic ranking goes by spelling, not meaning. Use search_keyword or search_hybrid meanwhile.',
});

function embedderFrom(
  embed: EmbedTerms,
  about: Pick<WorkspaceEmbedder, 'spaceId' | 'model' | 'fusionShare' | 'warning' | 'packedModel'>,
): WorkspaceEmbedder {
  return {
    ...about,
    dimensions: DIMENSIONS,
    async embedPassages(passages: readonly Passage[], signal?: AbortSignal) {
      signal?.throwIfAborted();
      return passages.map(({ title, text }) => embed(countTerms(analyse(title), analyse(text))));
    },
    async embedQuery(query: string, signal?: AbortSignal) {
      signal?.throwIfAborted();
      return embed(countTerms(analyse(query)));
    },
  };
}
