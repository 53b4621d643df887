import { Id, collect, token, type ClaimLimits, type Sql, type WaitingWork } from '@service-mcp/core';
import type { IndexState, IndexStatus } from './schemas.js';

/** The argument that `access.in: 'workspace'` admits by; a caller with one workspace may leave it out. */
export const WorkspaceId = Id('Workspace', 'workspaces_list');

/** A file to index, or to remove from an index. */
export interface QueuedFile {
  /** Document id in the index. */
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  /** Revision of the file for this consumer: an outcome for an older revision leaves the file pending. */
  readonly revision: number;
  /** True for a deleted file: its rows leave the index, then the file leaves the database. */
  readonly removed: boolean;
  /** Empty when `removed`. */
  readonly text: string;
  /** RFC 3339: the modification time from the client, or else the time of the ingest. */
  readonly updatedAt: string;
  /** Number of claims of this revision, including this one. Above 1, an earlier attempt may have left rows. */
  readonly attempts: number;
}

export type FileOutcome = { readonly id: string; readonly revision: number } &
  /** `chunks`: number of chunks in the search index; other consumers leave it out. */
  (
    | { readonly status: 'indexed'; readonly chunks?: number }
    /** See `WorkOutcome`: retried with back-off, then `failed` with the message. */
    | {
        readonly status: 'failed';
        readonly error: string;
        readonly permanent?: boolean;
        readonly retryAfterMs?: number;
      }
  );

/** The current fields of a file, without its text. */
export interface FileState {
  readonly projectId: string;
  readonly path: string;
  readonly language: string | null;
  readonly sha256: string;
  readonly updatedAt: string;
  /** Of the last indexing of its text, 0 before the first. */
  readonly chunks: number;
}

/**
 * Changes of files for one consumer: a plugin that derives data from every file (an index, a code graph). Each has its
 * own queue over the same files; a file is `indexed` when all of them have settled it.
 */
export interface FileChanges {
  /** Workspaces with changed files: see `WorkQueue.waitingWorkspaces`. */
  waitingWorkspaces(which?: WaitingWork): Promise<string[]>;
  /** The next changed files: see `WorkQueue.claim`, also for who may call it. */
  claim(limits: ClaimLimits): Promise<QueuedFile[]>;
  /** Ends claims. Records file.indexed, file.failed and file.removed once every consumer has settled the file. */
  settle(outcomes: readonly FileOutcome[]): Promise<void>;
  /** The existing files among `ids`; deleted ones are absent. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, FileState>>;
  /** The existing files of a workspace. */
  statesIn(workspaceId: string): Promise<ReadonlyMap<string, FileState>>;
  /** Current texts of the existing files among `ids`. */
  texts(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids of files of a workspace that wait for this consumer, in order of their last change, the latest first. */
  newest(workspaceId: string, limit: number): Promise<readonly string[]>;
  /**
   * Number of changed and deleted files of a project that wait for this consumer, whether or not they wait for others;
   * 10,000 are counted at most.
   */
  pendingIn(projectId: string): Promise<number>;
  /** Number of files of a workspace that this consumer has indexed. */
  indexedTotal(workspaceId: string): Promise<number>;
  /**
   * Makes files pending again for this consumer, which rebuilds: all, those of a workspace, or these of it. Returns their
   * number.
   */
  requeue(workspaceId?: string, ids?: readonly string[]): Promise<number>;
}

/** Declares a consumer of file changes; `name` is stored, and never changes once released. */
export interface FileConsumer {
  readonly name: string;
  /**
   * Deletes everything that was derived from files, in the transaction that queues every file for a consumer which has no
   * work stored: a new one, or one that was disabled. It was not told of files that were deleted meanwhile.
   */
  readonly forget?: (sql: Sql) => Promise<void>;
}
/** Plugins that consume file changes. A plugin that is enabled later, or again, gets every existing file. */
export const FileConsumers = collect<FileConsumer>('workspaces.FileConsumers');

export interface FileChangesOf {
  /** Throws when no enabled plugin contributes a {@link FileConsumer} of this name. */
  for(consumer: string): FileChanges;
}
export const FileChanges = token<FileChangesOf>('workspaces.FileChanges');

/** Health of an index, contributed by its plugin. */
export interface IndexHealth {
  /** Health of the index of a workspace. `generation` counts its builds from an empty one; 0: not built yet. */
  read(workspaceId: string): Promise<{ readonly healthy: boolean; readonly generation: number }>;
}
export const IndexHealth = collect<IndexHealth>('workspaces.IndexHealth');

export type { IndexState, IndexStatus };

/** State of indexing of a workspace, or of one of its projects. */
export interface IndexStatuses {
  read(workspaceId: string, projectId?: string): Promise<IndexStatus>;
  /**
   * The part in every search result. It counts only pending files, so that it is cheap: those that wait for this consumer
   * of file changes, or for any.
   */
  glance(
    workspaceId: string,
    projectId?: string,
    consumer?: string,
  ): Promise<Pick<IndexStatus, 'state' | 'generation' | 'pending'>>;
  /** How many files one consumer of file changes has given up on, within a workspace or a project. */
  failedFor(consumer: string, workspaceId: string, projectId?: string): Promise<number>;
  /** How many files of a project wait for each consumer of file changes, by its name. */
  waitingFor(workspaceId: string, projectId: string): Promise<Record<string, number>>;
}
export const IndexStatuses = token<IndexStatuses>('workspaces.IndexStatuses');

/** Identifies a project. */
export interface ProjectName {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
}

export interface ListedProject extends ProjectName {
  readonly repositoryUrl: string | null;
}

/** Projects, for other plugins that describe them. `workspaceIds` are the admitted workspaces. */
export interface ProjectDirectory {
  /** Undefined when none of the workspaces has this project. */
  find(id: string, workspaceIds: Iterable<string>): Promise<ProjectName | undefined>;
  /**
   * Locks a project until the transaction ends, so that data of it is not written after its `ProjectData` was erased.
   * False where the project is deleted.
   */
  lock(sql: Sql, id: string): Promise<boolean>;
  /** Projects of the workspaces, the one that got files last first, at most `limit`. */
  list(workspaceIds: Iterable<string>, limit: number): Promise<readonly ListedProject[]>;
  /** Those of the paths that are files of a project, or of any project of the workspace. */
  existingPaths(
    scope: { readonly workspaceId: string; readonly projectId?: string },
    paths: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /**
   * Where the files of these paths are now, in a project or in any of the workspace: the path itself where it is a file, or
   * else the one that its file was moved to. Those that are gone are absent.
   */
  currentPaths(
    scope: { readonly workspaceId: string; readonly projectId?: string },
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Former paths of the files at these paths, where no other file has come since; each with the path of its file now. */
  formerPaths(
    scope: { readonly workspaceId: string; readonly projectId?: string },
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Texts of files of a project by path; those that it has. `workspaceIds` are the admitted workspaces. */
  texts(
    projectId: string,
    paths: readonly string[],
    workspaceIds: Iterable<string>,
  ): Promise<ReadonlyMap<string, string>>;
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

/** A record of a plugin in the overview of a workspace, which has all its fields; `init` has its id and title. */
interface OverviewRecord {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

/** A plugin's entry in the overview of a workspace, besides the counts of its `WorkspaceData`: a few records of each kind. */
export interface OverviewPart {
  /** The scope that a caller needs to see it: `memory:read`. */
  readonly scope?: string;
  /** `projectId`: leaves out records of other projects; those of no project remain. */
  read(
    workspaceId: string,
    projectId?: string,
  ): Promise<{
    readonly recentEvents?: readonly OverviewRecord[];
    /** Decisions in force, for `init` and a fast `context` too; `decided_at` is when, RFC 3339. */
    readonly recentDecisions?: readonly OverviewRecord[];
    /** For `init` alone. */
    readonly openTasks?: readonly OverviewRecord[];
  }>;
}
export const OverviewPart = collect<OverviewPart>('workspaces.OverviewPart');

/** The project data of a plugin; its other data in a workspace is `WorkspaceData`. */
export interface ProjectData {
  /**
   * Deletes all of it, in the transaction in which the project is deleted; where the plugin was disabled then, once it is
   * enabled again. It may run again for a project that is gone.
   */
  erase(sql: Sql, projectId: string, workspaceId: string): Promise<void>;
}
export const ProjectData = collect<ProjectData>('workspaces.ProjectData');
