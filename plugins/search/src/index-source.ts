import { collect, type ClaimLimits, type WaitingWork } from '@service-mcp/core';

/** A word for what a document is: `code` and `doc` for files, `event` and `node` for memory, and a plugin's own. */
export type DocumentKind = string;

/** The current fields of a document, without its text. */
export interface DocumentState {
  readonly projectId: string | null;
  readonly kind: DocumentKind;
  /** Relative and `/`-separated for files; for other kinds whatever names the document, or empty. */
  readonly path: string;
  readonly language: string | null;
  /** Shown as the title where a passage has no heading or symbol of its own; empty for files. */
  readonly title: string;
  readonly tags: readonly string[];
  /** How it stands, where it is not simply in force: `superseded by ID`. It is not searched. */
  readonly standing?: string;
  /** RFC 3339. */
  readonly updatedAt: string;
  readonly sha256: string;
  /** Of its last indexing, where the source keeps the number: see {@link DocumentOutcome}. */
  readonly chunks?: number;
}

/** One document that waits to be indexed, or whose removal from the index waits. */
export interface IndexDocument extends DocumentState {
  /** Unique over all sources, and stable over the life of the document. */
  readonly id: string;
  readonly workspaceId: string;
  readonly text: string;
  /** Grows with every write; an outcome for an older revision leaves the document pending. */
  readonly revision: number;
  /** True where the document was deleted: its rows leave the index, then the source may forget it. */
  readonly removed: boolean;
  /** How often it was claimed for this revision, this time included. */
  readonly attempts: number;
}

export type DocumentOutcome = { readonly id: string; readonly revision: number } & (
  | { readonly status: 'indexed'; readonly chunks: number }
  | {
      readonly status: 'failed';
      readonly error: string;
      readonly permanent?: boolean;
      /** See `WorkOutcome`. */
      readonly retryAfterMs?: number;
    }
);

/**
 * Something that search indexes. The source owns the truth and the queue (`pending` rows of its own table);
 * search claims, indexes and settles, and can rebuild its index from the source at any time.
 */
export interface IndexSource {
  readonly name: string;
  /** The kinds of document it yields. Other sources may yield them too; ids are unique over all sources. */
  readonly kinds: readonly DocumentKind[];
  /** False: found only by searches that name the kind. Default true. */
  readonly searchedByDefault?: boolean;
  /** The scope that a search which names the kind needs, besides `search:read`. It is then not searched by default. */
  readonly scope?: string;
  /** Workspaces with pending documents: see `WorkQueue.waitingWorkspaces`. */
  waitingWorkspaces(which?: WaitingWork): Promise<readonly string[]>;
  /** Claims pending documents: see `WorkQueue.claim`. Search claims inside workspaces on whose index it holds the lease. */
  claim(limits: ClaimLimits): Promise<readonly IndexDocument[]>;
  /** Ends claims. A `failed` outcome that is not `permanent` is retried later by the source. */
  settle(outcomes: readonly DocumentOutcome[]): Promise<void>;
  /** The living documents among `ids`; a deleted one is absent. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentState>>;
  /** The ids of the living documents among `ids`. Absent where it would cost as much as `states`. */
  living?(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * All living documents of a workspace: a pattern without a literal has to look at each. Once `signal` aborts, those read
   * until then.
   */
  statesIn(workspaceId: string, signal?: AbortSignal): Promise<ReadonlyMap<string, DocumentState>>;
  /** The current texts of the living documents among `ids`. The index holds none: a text is stored once, by its source. */
  texts(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Ids of living documents of a workspace that wait to be indexed, those changed last first, at most `limit`. Patterns
   * search their texts before they are indexed.
   */
  newest(workspaceId: string, limit: number): Promise<readonly string[]>;
  /**
   * How many documents of a workspace, or of a project in it, wait to be indexed, and whether there are any. Absent where
   * `IndexStatuses` of the workspaces plugin knows: for files.
   */
  glance?(
    workspaceId: string,
    projectId?: string,
  ): Promise<{ readonly pending: number; readonly some: boolean }>;
  /** How many living documents the index of a workspace should hold. */
  indexedTotal(workspaceId: string): Promise<number>;
  /**
   * Makes documents pending again and voids open claims (a new revision): all, those of a workspace, or these of it.
   * Returns how many.
   */
  requeue(workspaceId?: string, ids?: readonly string[]): Promise<number>;
}
/** The sources of documents for search; any plugin may contribute one. */
export const IndexSources = collect<IndexSource>('search.IndexSources');
