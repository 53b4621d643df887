import { collect, token } from '@service-mcp/core';

/** One file whose text waits to be indexed, or whose removal from the index waits. */
export interface QueuedFile {
  /** The document id in the index. */
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  /** Grows with every write to the file; an outcome for an older revision leaves the file pending. */
  readonly revision: number;
  /** True where the file was deleted: its rows leave the index, then the file leaves the database. */
  readonly removed: boolean;
  /** Empty where `removed`. */
  readonly text: string;
  /** RFC 3339: the file's own time where the client sent it, else that of the ingest. */
  readonly updatedAt: string;
  /** How often it was claimed for this revision, this time included. Over 1, an earlier round may have left rows. */
  readonly attempts: number;
}

export type FileOutcome = { readonly id: string; readonly revision: number } & (
  | { readonly status: 'indexed'; readonly chunks: number }
  /** Retried with back-off (5 s, doubling) unless `permanent` or after 5 attempts; then `failed` with the message. */
  | { readonly status: 'failed'; readonly error: string; readonly permanent?: boolean }
);

/** What a search result needs to know of a file today. */
export interface FileState {
  readonly sha256: string;
  readonly updatedAt: string;
}

export interface IndexCounts {
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

/** `indexing_status = 'pending'` is the work queue: a file and its work commit in one transaction. */
export interface FileQueue {
  /**
   * The next pending files, those never tried first, until `limit` files or `maxBytes` of text. Each counts one
   * attempt, in the database, so that a file which kills the process is found out: after three without an outcome fewer
   * come together, after five each alone.
   * For one caller at a time (an exclusive worker): nothing is locked.
   */
  claim(limit: number, maxBytes: number): Promise<QueuedFile[]>;
  /** Ends claims: `indexed` (or purged, where removed), or `failed` and retried later. Records file.indexed and file.failed. */
  settle(outcomes: readonly FileOutcome[]): Promise<void>;
  /** The living files among `ids`; a deleted one is absent. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, FileState>>;
  /** How many living files the index should hold (status indexed) over the whole deployment. */
  indexedTotal(): Promise<number>;
  /** Makes every file pending again, for an index that is built anew. Returns how many. */
  requeueAll(): Promise<number>;
}
export const FileQueue = token<FileQueue>('workspaces.FileQueue');

/** How an index feels about itself. Contributed by the plugin that keeps one. */
export interface IndexHealth {
  /** `generation` counts how often the index was built from nothing. */
  read(): Promise<{ readonly healthy: boolean; readonly generation: number }>;
}
export const IndexHealth = collect<IndexHealth>('workspaces.IndexHealth');

/** `not_indexed`: nothing was ever ingested. `empty`: something was, and nothing is left. */
export type IndexState = 'not_indexed' | 'empty' | 'indexing' | 'ready' | 'degraded';

export interface IndexStatus extends IndexCounts {
  readonly state: IndexState;
  readonly generation: number;
  readonly indexedAt: string | null;
}

/** The state of indexing over a workspace, or one project of it. */
export interface IndexStatuses {
  read(workspaceId: string, projectId?: string): Promise<IndexStatus>;
  /** The part of it that every search answer carries; it counts pending files alone and so costs little. */
  glance(
    workspaceId: string,
    projectId?: string,
  ): Promise<Pick<IndexStatus, 'state' | 'generation' | 'pending'>>;
}
export const IndexStatuses = token<IndexStatuses>('workspaces.IndexStatuses');

/** What names a project. */
export interface ProjectName {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
}

/** Projects, for what other plugins say of them. `workspaceIds` are those that a call was admitted to. */
export interface ProjectDirectory {
  /** Undefined where no such project lives in one of the workspaces. */
  find(id: string, workspaceIds: Iterable<string>): Promise<ProjectName | undefined>;
  /** Projects whose id or name begins with `start`, whatever the case of the name; by name, at most `limit`. */
  startingWith(start: string, workspaceIds: Iterable<string>, limit: number): Promise<readonly ProjectName[]>;
  /** What a project holds: its languages by number of files, and the first `most` of the files that failed. */
  contents(
    projectId: string,
    most: number,
  ): Promise<{
    readonly languages: ReadonlyArray<{ readonly language: string | null; readonly files: number }>;
    readonly failed: ReadonlyArray<{ readonly path: string; readonly error: string }>;
  }>;
}
export const ProjectDirectory = token<ProjectDirectory>('workspaces.ProjectDirectory');

/** Announced when files became pending. */
export const FILES_PENDING = 'file.pending';

/** What a plugin adds to the overview of a workspace. */
export interface OverviewPart {
  read(workspaceId: string): Promise<{
    readonly events?: number;
    readonly nodes?: number;
    readonly recentEvents?: ReadonlyArray<Readonly<Record<string, unknown>>>;
    readonly recentDecisions?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  }>;
}
export const OverviewPart = collect<OverviewPart>('workspaces.OverviewPart');
