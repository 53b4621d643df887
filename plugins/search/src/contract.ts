import { token, type Caller } from '@service-mcp/core';
import type { SearchMode, SearchOutput, SearchRequest, SearchResult } from './schemas.js';

/** For whom a search runs. A tool passes its call. */
export interface SearchedBy {
  /** Aborts the search. */
  readonly signal?: AbortSignal | undefined;
  /** Searches take turns between workspaces, and between the callers of one. */
  readonly caller?: Pick<Caller, 'userId'> | undefined;
}

/** The four modes, for plugins that search on a caller's behalf. The caller must be admitted to the workspace. */
export interface Search {
  /**
   * The answer of the tool of that mode, whose arguments the request has. `score` is a cosine (semantic, 0 to 1), BM25
   * (keyword) or the fused score (hybrid, 0 to 1), the last two raised for exact hits, or 1 (pattern). Throws INVALID_ARGUMENT (a malformed pattern or filter)
   * DEADLINE_EXCEEDED, and RATE_LIMITED where too many searches of the caller wait.
   */
  search(mode: SearchMode, request: SearchRequest, by?: SearchedBy): Promise<SearchOutput>;
  /**
   * The documents that the mode finds, each by its best chunk, best first, up to `limit` of the request (1 to 1000,
   * more than a search shows) and without texts: for plugins that rank by more than the text.
   */
  rank(mode: RankedMode, request: RankRequest, by?: SearchedBy): Promise<Ranking>;
}
export interface RankRequest extends SearchRequest {
  /** Words of the query that the plugin goes by itself: no other one stands in for them where nothing holds them. */
  readonly understood?: string;
}
export type RankedMode = Exclude<SearchMode, 'pattern'>;

export interface RankedDocument extends Pick<SearchResult, 'kind' | 'score' | 'scores'> {
  /** The id that its source gave it. */
  readonly id: string;
}

export interface Ranking extends Pick<SearchOutput, 'index' | 'warnings' | 'total_is_lower_bound'> {
  readonly documents: readonly RankedDocument[];
}
export const Search = token<Search>('search.Search');

/** The parts of a chunk that are embedded. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** Vectors in the order of the texts: of length 1, or null when no term of the text is known. */
export interface Embeddings {
  readonly vectors: readonly (Float32Array | null)[];
  /** Tokens of the texts as the embedder counts them, with prefixes; undefined where it does not. */
  readonly tokens: number | undefined;
}

/** Takes vectors of a part of the texts, which begins with the one at `from`. */
export type MadeVectors = (from: number, vectors: Embeddings['vectors']) => void;

/** Embeds texts into one vector space. Throws ProviderFailure where a provider gives no vectors. */
export interface Embedder {
  /** Hash of everything that shapes the space; vectors of different spaces are never compared. */
  readonly spaceId: string;
  readonly dimensions: number;
  readonly model: string;
  /** Remark for callers about what its vectors are good for. */
  readonly warning?: string;
  /** Embeds texts as they are, after the prefix of their kind, for a caller that waits for all of them. */
  embed(texts: readonly string[], kind: 'query' | 'passage', signal?: AbortSignal): Promise<Embeddings>;
  /** `made` may be given vectors as they are made: those before a failure are not lost. */
  embedPassages(
    passages: readonly Passage[],
    signal?: AbortSignal,
    made?: MadeVectors,
  ): Promise<Embeddings['vectors']>;
  embedQuery(query: string, signal?: AbortSignal): Promise<Float32Array | null>;
  /**
   * Set for the embedders built in, which embed passages in the thread that analyses them: the packed term model, or
   * undefined for hashed vectors. `embedPassages` of all others is called with passages.
   */
  readonly packedModel?: () => Promise<Uint8Array | undefined>;
}

export interface Embedders {
  /** The embedder that answers queries of a workspace at this moment. Throws ProviderFailure. */
  active(workspaceId: string): Promise<Embedder>;
  /** That of the deployment; undefined where each workspace has one of its own. Throws ProviderFailure. */
  provided(): Promise<Embedder | undefined>;
}
export const Embedders = token<Embedders>('search.Embedders');

export {
  IndexSources,
  type DocumentKind,
  type DocumentOutcome,
  type DocumentState,
  type IndexDocument,
  type IndexSource,
} from './index-source.js';
export {
  openModelService,
  type ModelService,
  type ModelServiceSettings,
  type RequestLimits,
} from './services/models/model-service.js';
export { ProviderFailure } from './services/models/provider-failure.js';
export { indexRecords, type RecordDocument } from './record-source.js';
export { analyse } from './services/analysis/analyse.js';
export { linesToRead } from './services/analysis/cell-lines.js';
export { NOTHING_HOLDS } from './result-text.js';
export { excerpt, type Excerpt } from './services/query/excerpt.js';
export { placeOf, projectOf, stepsFor, textOf, userMessage } from './prompts/guide.js';
export { hitParts } from './schemas.js';
export type { SearchMode, SearchOutput, SearchRequest, SearchResult } from './schemas.js';
