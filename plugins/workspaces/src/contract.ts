import { Id, collect, token, type ClaimLimits, type Sql } from '@service-mcp/core';

/** The argument that `access.in: 'workspace'` admits by; a caller with one workspace may leave it out. */
export const WorkspaceId = Id('Workspace', 'workspaces_list');

/** One file whose text waits to be indexed, or whose removal from the index waits. */
export interface QueuedFile {
  /** The document id in the index. */
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  /** Of the file for this consumer: an outcome for an older revision leaves the file pending. */
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

export type FileOutcome = { readonly id: string; readonly revision: number } &
  /** `chunks`: of the search index; other consumers leave it out. */
  (
    | { readonly status: 'indexed'; readonly chunks?: number }
    /** See `WorkOutcome`: retried with back-off, then `failed` with the message. */
    | { readonly status: 'failed'; readonly error: string; readonly permanent?: boolean }
  );

/** The current fields of a file that search results show. */
export interface FileState {
  readonly sha256: string;
  readonly updatedAt: string;
}

export interface IndexCounts {
  readonly pending: number;
  readonly indexed: number;
  readonly failed: number;
}

/**
 * Changes of files for one consumer: a plugin that makes something of every file (an index, a code graph). Each has a
 * queue of its own over the same files; a file is `indexed` when all of them have settled it.
 */
export interface FileChanges {
  /**
   * The next changed files, in turn between workspaces: see
   * `WorkQueue.claim`. For one caller at a time (an exclusive worker).
   */
  claim(limits: ClaimLimits): Promise<QueuedFile[]>;
  /** Ends claims. Records file.indexed, file.failed and file.removed once no other consumer has the file to do. */
  settle(outcomes: readonly FileOutcome[]): Promise<void>;
  /** The living files among `ids`; a deleted one is absent. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, FileState>>;
  /** How many living files of a workspace this consumer has indexed. */
  indexedTotal(workspaceId: string): Promise<number>;
  /** Makes every file, or every one of a workspace, pending again for this consumer, which rebuilds. Returns how many. */
  requeue(workspaceId?: string): Promise<number>;
}

/** Declares a consumer of file changes; `name` is stored, and never changes once released. */
export interface FileConsumer {
  readonly name: string;
}
/** Plugins that consume file changes. One that is enabled later gets every file that is there. */
export const FileConsumers = collect<FileConsumer>('workspaces.FileConsumers');

export interface FileChangesOf {
  /** Throws where no enabled plugin contributes a {@link FileConsumer} of that name. */
  for(consumer: string): FileChanges;
}
export const FileChanges = token<FileChangesOf>('workspaces.FileChanges');

/** How an index feels about itself. Contributed by the plugin that keeps one. */
export interface IndexHealth {
  /** Of a workspace. `generation` counts how often its index was built from nothing; 0: it was not built yet. */
  read(workspaceId: string): Promise<{ readonly healthy: boolean; readonly generation: number }>;
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

/** Identifies a project. */
export interface ProjectName {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
}

/** Projects, for other plugins that describe them. `workspaceIds` are those that a call was admitted to. */
export interface ProjectDirectory {
  /** Undefined where no such project lives in one of the workspaces. */
  find(id: string, workspaceIds: Iterable<string>): Promise<ProjectName | undefined>;
  /** Projects whose id or name begins with `start`, whatever the case of the name; by name, at most `limit`. */
  startingWith(start: string, workspaceIds: Iterable<string>, limit: number): Promise<readonly ProjectName[]>;
  /** Contents of a project: its languages by number of files, and the first `most` of the files that failed. */
  contents(
    projectId: string,
    most: number,
  ): Promise<{
    readonly languages: ReadonlyArray<{ readonly language: string | null; readonly files: number }>;
    readonly failed: ReadonlyArray<{ readonly path: string; readonly error: string }>;
  }>;
}
export const ProjectDirectory = token<ProjectDirectory>('workspaces.ProjectDirectory');

/** A plugin's entry in the overview of a workspace, besides the counts of its `WorkspaceData`. */
export interface OverviewPart {
  read(workspaceId: string): Promise<{
    readonly recentEvents?: ReadonlyArray<Readonly<Record<string, unknown>>>;
    readonly recentDecisions?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  }>;
}
export const OverviewPart = collect<OverviewPart>('workspaces.OverviewPart');

/** The project data of a plugin; its other data in a workspace is `WorkspaceData`. */
export interface ProjectData {
  /** Deletes all of it, in the transaction in which the project is deleted. */
  erase(sql: Sql, projectId: string, workspaceId: string): Promise<void>;
}
export const ProjectData = collect<ProjectData>('workspaces.ProjectData');
