import { collect, token } from '@service-mcp/core';
import type { IndexState } from '@service-mcp/plugin-workspaces/contract';

export const DOCUMENT_KINDS = ['code', 'doc', 'event', 'node'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** One document that waits to be indexed, or whose removal from the index waits. */
export interface IndexDocument {
  /** Unique over all sources, and stable over the life of the document. */
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string | null;
  readonly kind: DocumentKind;
  /** Relative and `/`-separated for files; for other kinds whatever names the document, or empty. */
  readonly path: string;
  readonly language: string | null;
  /** Shown as the title where a passage has no heading or symbol of its own; empty for files. */
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** RFC 3339. */
  readonly updatedAt: string;
  readonly sha256: string;
  /** Grows with every write; an outcome for an older revision leaves the document pending. */
  readonly revision: number;
  /** True where the document was deleted: its rows leave the index, then the source may forget it. */
  readonly removed: boolean;
  /** How often it was claimed for this revision, this time included. */
  readonly attempts: number;
}

export type DocumentOutcome = { readonly id: string; readonly revision: number } & (
  | { readonly status: 'indexed'; readonly chunks: number }
  | { readonly status: 'failed'; readonly error: string; readonly permanent?: boolean }
);

/** What a search result needs to know of a document today. */
export interface DocumentState {
  readonly sha256: string;
  readonly updatedAt: string;
}

/**
 * Something that search indexes. The source owns the truth and the queue (`pending` rows of its own table);
 * search claims, indexes and settles, and can rebuild its index from the source at any time.
 */
export interface IndexSource {
  readonly name: string;
  /** The kinds of document it yields. Other sources may yield them too; ids are unique over all sources. */
  readonly kinds: readonly DocumentKind[];
  /** Claims pending documents, oldest first, until `limit` documents or `maxBytes` of text. */
  claim(limit: number, maxBytes: number): Promise<readonly IndexDocument[]>;
  /** Ends claims. A `failed` outcome that is not `permanent` is retried later by the source. */
  settle(outcomes: readonly DocumentOutcome[]): Promise<void>;
  /** The living documents among `ids`; a deleted one is absent. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentState>>;
  /** How many living documents the index should hold. */
  indexedTotal(): Promise<number>;
  /** Makes every document pending again and voids open claims (a new revision). Returns how many. */
  requeueAll(): Promise<number>;
}
/** What search indexes; any plugin may contribute a source. */
export const IndexSources = collect<IndexSource>('search.IndexSources');

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
  /** Pattern alone; default true. */
  readonly caseSensitive?: boolean;
  /** Pattern alone: a match may span lines. Default false. */
  readonly multiline?: boolean;
  /** Pattern alone; default false. */
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
  /** True where the document has changed since it was indexed. */
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

/** What is embedded of a chunk. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** One vector space and the way into it. Vectors have length 1, or are null where nothing in the text is known. */
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

export type { SearchOutput } from './schemas.js';
