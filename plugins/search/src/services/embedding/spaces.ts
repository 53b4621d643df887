import type { Embedder, Embedders, Passage } from '../../contract.js';
import { analyse, countTerms } from '../analysis/analyse.js';
import { withoutEncoded } from '../analysis/encoded.js';
import { DIMENSIONS } from '../index/tables.js';
import { embedTermsBy, type EmbedTerms } from './embed-terms.js';
import { embedderOf } from './providers/provided-embedder.js';
import { ProviderFailure } from '../models/provider-failure.js';
import { spaceIdOf, type Provider, type ProviderDescription } from './providers/provider.js';
import type { Space, SpaceStore } from './space-store.js';
import { pack, type TermModel } from './term-model.js';

/** Models kept in memory, at most about 3 MB each. */
const MAX_MODELS = 32;
/** How long the list of a workspace's spaces is cached: a swap by another process is seen after this. */
const LIST_TTL_MS = 500;
const MAX_LISTS = 10_000;

/** The weight of a perfect hit, by measurement: ADR 39. */
const FUSION_SHARES = { hashed: 0.5, trained: 0.7, tuned: 0.8 } as const;

/** An embedder that sees what is asked for far from the query knows little of it, and would drag BM25 down. */
const shareOf =
  (kind: keyof typeof FUSION_SHARES) =>
  (nearness: number): number =>
    FUSION_SHARES[kind] * nearness ** 2;

/** The embedders that new documents are written with. */
export interface WritingEmbedders {
  readonly embedded: readonly Embedder[];
  readonly provided: readonly Embedder[];
  /** The space of the provider that the configuration names: a document is indexed once it has vectors in it. */
  readonly wanted: string | undefined;
  readonly owed: ProviderFailure | undefined;
}

/** An embedder with its weight beside BM25. */
export interface WorkspaceEmbedder extends Embedder {
  /** The weight of the semantic score in a fused one, 0 to 1, where what is asked for has this cosine. */
  readonly fusionShare: (nearness: number) => number;
}

/** The identity of an embedded space. */
function embeddedSpaceId(model: string, digest: string): string {
  const rest = { dimensions: DIMENSIONS, queryPrefix: '', passagePrefix: '', pooling: 'idf-mean' };
  return spaceIdOf({ provider: 'embedded', model, digest, ...rest });
}

export function tunedSpaceId(model: TermModel): string {
  return embeddedSpaceId('contrastive', pack(model).digest);
}

export interface SpacesParts {
  readonly store: SpaceStore;
  /** The provider that the configuration names; undefined for the embedders of the workspaces themselves. */
  readonly provider?: Provider | undefined;
  /** Opens the provider of a space that was built under another configuration. */
  readonly openFormer?: (description: ProviderDescription) => Promise<Provider>;
  /** The weight of a provider's score in a fused one. */
  readonly providerShare?: number;
}

/**
 * The embedders of each workspace: the provider's, or the untrained one until its own is trained. Where the configuration
 * names another one than the active space has, a space for it is built beside that one.
 */
export class Spaces implements Embedders {
  readonly #parts: SpacesParts;
  readonly #store: SpaceStore;
  readonly #models = new Map<string, Promise<WorkspaceEmbedder>>();
  readonly #lists = new Map<string, { readonly at: number; readonly spaces: Promise<Space[]> }>();
  #provided: Promise<WorkspaceEmbedder> | undefined;
  #isFollowed = false;

  constructor(parts: SpacesParts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  /** Throws ProviderFailure while a provider's dimensions are not known. */
  async active(workspaceId: string): Promise<WorkspaceEmbedder> {
    const active = (await this.#list(workspaceId)).find(({ state }) => state === 'active');
    return active ? this.embedder(active) : ((await this.provided()) ?? HASHED);
  }

  /**
   * Every embedder that vectors of new documents must be made with, those of providers apart: they may fail. `owed`: the
   * provider that the configuration names does not answer, and its space is not known.
   */
  async writing(workspaceId: string): Promise<WritingEmbedders> {
    this.changed(workspaceId);
    const { owed } = await this.follow(workspaceId);
    const spaces = (await this.#list(workspaceId)).filter(({ state }) => state !== 'retired');
    const embedded = spaces.filter(({ kind }) => kind !== 'provided');
    const wanted = await this.provided().catch(() => undefined);
    const provided: WorkspaceEmbedder[] = [];
    for (const space of spaces.filter(({ kind }) => kind === 'provided')) {
      // One of a former configuration may be gone: its space serves as it is until it is replaced.
      const embedder = await this.embedder(space).catch(() => undefined);
      if (embedder) provided.push(embedder);
    }
    return {
      embedded: await Promise.all(embedded.map((space) => this.embedder(space))),
      provided,
      wanted: wanted?.spaceId,
      owed,
    };
  }

  /**
   * Adds the space that the configuration asks for where a workspace lacks it. One that was being built for a former
   * configuration is not built to its end: it would replace this one.
   */
  async follow(workspaceId: string): Promise<{ readonly owed: ProviderFailure | undefined }> {
    const spaces = await this.#list(workspaceId);
    // The facts of a known space need no call of the provider.
    for (const space of spaces)
      if (space.kind === 'provided') await this.embedder(space).catch(() => undefined);
    let wanted: WorkspaceEmbedder | undefined = HASHED;
    let owed: ProviderFailure | undefined;
    try {
      wanted = (await this.provided()) ?? HASHED;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      owed = error;
      wanted = undefined;
    }
    if (!wanted) return { owed };
    const isProvided = wanted !== HASHED;
    const isWanted = ({ space_id, kind }: Space) =>
      isProvided ? space_id === wanted.spaceId : kind !== 'provided';
    const former = spaces.filter((space) => space.state === 'building' && !isWanted(space));
    for (const space of former) await this.#store.retire(space);
    if (former.length > 0) this.changed(workspaceId);
    if (spaces.some((space) => space.state !== 'retired' && isWanted(space))) return { owed };
    const state = spaces.some((space) => space.state === 'active') ? 'building' : 'active';
    const { spaceId: space_id, dimensions } = wanted;
    const kind = isProvided ? 'provided' : 'hashed';
    const description = isProvided ? await this.#parts.provider?.describe() : undefined;
    const space = {
      workspace_id: workspaceId,
      space_id,
      kind,
      state,
      dimensions,
      chunks: 0,
      generation: 0,
    } as const;
    await this.#store.add({ ...space, cursor: '' }, description);
    this.changed(workspaceId);
    return { owed };
  }

  /** Adds the space that the configuration asks for in every workspace that has another one; once. True where it has now. */
  async followAll(): Promise<boolean> {
    if (this.#isFollowed) return false;
    const workspaces = new Set((await this.#store.list()).map(({ workspace_id }) => workspace_id));
    let owed: ProviderFailure | undefined;
    for (const workspaceId of workspaces) owed ??= (await this.follow(workspaceId)).owed;
    this.#isFollowed = owed === undefined;
    return this.#isFollowed;
  }

  /** The embedder of the configured provider; undefined where there is none. Throws ProviderFailure. */
  provided(): Promise<WorkspaceEmbedder | undefined> {
    const { provider } = this.#parts;
    if (!provider) return Promise.resolve(undefined);
    if (!this.#provided) {
      const made = provider.describe().then((description) => this.#embedderOf(provider, description));
      this.#provided = made;
      made.catch(() => (this.#provided = undefined));
    }
    return this.#provided;
  }

  #embedderOf(provider: Provider, description: ProviderDescription): WorkspaceEmbedder {
    const { providerShare: share = 0.5 } = this.#parts;
    // The cosines of another model have another scale: its share is constant.
    return { ...embedderOf(provider, description), fusionShare: () => share };
  }

  /** Clears the cache of a workspace's spaces after a change. */
  changed(workspaceId: string): void {
    this.#lists.delete(workspaceId);
  }

  async embedder(space: Space): Promise<WorkspaceEmbedder> {
    const id = space.space_id;
    if (space.kind === 'hashed') return { ...HASHED, spaceId: id };
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
    if (known && performance.now() - known.at < LIST_TTL_MS) return known.spaces;
    const spaces = this.#store.list(workspaceId);
    if (this.#lists.size > MAX_LISTS) this.#lists.clear();
    this.#lists.set(workspaceId, { at: performance.now(), spaces });
    spaces.catch(() => this.changed(workspaceId));
    return spaces;
  }

  async #load(space: Space): Promise<WorkspaceEmbedder> {
    const { space_id, kind } = space;
    if (kind === 'provided') return this.#loadProvided(space);
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

  async #loadProvided({ space_id, workspace_id }: Space): Promise<WorkspaceEmbedder> {
    const description = await this.#store.description(space_id);
    if (!description) {
      this.changed(workspace_id);
      throw new Error('a vector space was replaced');
    }
    const { provider, openFormer } = this.#parts;
    // Its vectors are stored under the name that it had when it was made.
    const known = (found: Provider) => ({ ...this.#embedderOf(found, description), spaceId: space_id });
    if (provider?.makes(description)) return known(provider);
    try {
      if (openFormer) return known(await openFormer(description));
    } catch (cause) {
      throw new ProviderFailure('the provider of a space in use is not configured any more', { cause });
    }
    throw new ProviderFailure('no provider is configured for a space in use');
  }
}

const HASHED = embedderFrom(embedTermsBy(undefined), {
  packedModel: () => Promise.resolve(undefined),
  spaceId: embeddedSpaceId('hashed', '1'),
  model: 'embedded/hashed',
  fusionShare: shareOf('hashed'),
  warning:
    'The embedder of this workspace is not trained yet: semantic ranking goes by spelling, not meaning. It trains in the background from about fifty chunks on; search again in a few minutes.',
});

function embedderFrom(
  embed: EmbedTerms,
  about: Pick<WorkspaceEmbedder, 'spaceId' | 'model' | 'fusionShare' | 'warning' | 'packedModel'>,
): WorkspaceEmbedder {
  return {
    ...about,
    dimensions: DIMENSIONS,
    async embed(texts, _kind, signal) {
      const vectors: (Float32Array | null)[] = [];
      let tokens = 0;
      for (const text of texts) {
        await new Promise(setImmediate); // other calls take turns
        signal?.throwIfAborted();
        const counts = countTerms(analyse(withoutEncoded(text)));
        for (const [, count] of counts) tokens += count;
        vectors.push(embed(counts));
      }
      return { vectors, tokens };
    },
    async embedPassages(passages: readonly Passage[], signal?: AbortSignal) {
      signal?.throwIfAborted();
      // As the first pass reads them: see analyseChunk.
      return passages.map(({ title, text }) =>
        embed(countTerms(analyse(title), analyse(withoutEncoded(text)))),
      );
    },
    async embedQuery(query: string, signal?: AbortSignal) {
      signal?.throwIfAborted();
      return embed(countTerms(analyse(query)));
    },
  };
}
