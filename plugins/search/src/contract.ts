import { token } from '@service-mcp/core';
import type { IndexState } from '@service-mcp/plugin-workspaces/contract';
import type { DocumentKind } from './index-source.js';

export const SEARCH_MODES = ['semantic', 'hybrid', 'keyword', 'pattern'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchFilters {
  readonly languages?: readonly string[];
  readonly pathPrefix?: string;
  readonly pathGlob?: string;
  readonly kinds?: readonly DocumentKind[];
  /** Every tag must be on the document. */
  readonly tags?: readonly string[];
  /** RFC 3339; inclusive. */
  readonly modifiedAfter?: string;
  /** RFC 3339; exclusive. */
  readonly modifiedBefore?: string;
}

export interface SearchRequest {
  readonly query: string;
  readonly workspaceId: string;
  readonly projectId?: string;
  /** 1 to 100, default 10. */
  readonly limit?: number;
  /** 0 to 1000, default 0. */
  readonly offset?: number;
  readonly filters?: SearchFilters;
  /** Lines added before and after each result: 0 to 10, default 0. */
  readonly contextLines?: number;
  /** UTF-16 code units of text a result may have: 50 to 10000, default 800. */
  readonly contentMaxChars?: number;
  readonly outputFormat?: 'full' | 'paths' | 'count';
  /** Least `score`, on the scale of the mode. */
  readonly minScore?: number;
  /** Pattern only; default true. */
  readonly caseSensitive?: boolean;
  /** Pattern only: a match may span lines. Default false. */
  readonly multiline?: boolean;
  /** Pattern only; default false. */
  readonly wholeWord?: boolean;
}

/** Offsets are UTF-16 code units inside `content`; line and column (from 1) are those of the document. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

export interface SearchResult {
  readonly id: string;
  readonly documentId: string;
  readonly kind: DocumentKind;
  readonly projectId: string | null;
  readonly path: string;
  readonly language: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly title: string;
  readonly content: string;
  readonly truncated: boolean;
  /** semantic: cosine, 0 to 1. keyword: BM25. hybrid: fused, 0 to 1. pattern: 1. */
  readonly score: number;
  readonly scores: { readonly semantic?: number; readonly keyword?: number; readonly fused?: number };
  readonly highlights: readonly Highlight[];
  readonly symbol?: string;
  readonly updatedAt: string;
  /** True if the document has changed since it was indexed. */
  readonly stale: boolean;
}

export interface SearchAnswer {
  readonly mode: SearchMode;
  readonly results: readonly SearchResult[];
  readonly total: number;
  readonly totalIsLowerBound: boolean;
  readonly tookMs: number;
  readonly hasMore: boolean;
  readonly index: { readonly state: IndexState; readonly generation: number; readonly pending: number };
  readonly warnings: readonly string[];
}

/** The four modes, for plugins that search on a caller's behalf. The caller must be admitted to the workspace. */
export interface Search {
  /** Throws INVALID_ARGUMENT (a malformed pattern or filter) and DEADLINE_EXCEEDED. */
  search(mode: SearchMode, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
}
export const Search = token<Search>('search.Search');

/** The parts of a chunk that are embedded. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** Embeds texts into one vector space. Vectors have length 1, or are null when no term of the text is known. */
export interface Embedder {
  /** Hash of everything that shapes the space; vectors of different spaces are never compared. */
  readonly spaceId: string;
  readonly dimensions: number;
  readonly model: string;
  embedPassages(passages: readonly Passage[], signal?: AbortSignal): Promise<(Float32Array | null)[]>;
  embedQuery(query: string, signal?: AbortSignal): Promise<Float32Array | null>;
}

/** The embedder that answers queries of a workspace at this moment. */
export interface Embedders {
  active(workspaceId: string): Promise<Embedder>;
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
export { indexRecords, type RecordDocument } from './record-source.js';
export type { SearchOutput } from './schemas.js';
