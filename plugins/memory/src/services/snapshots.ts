import { invalidArgument } from '@service-mcp/core';
import type { Kind, MemoryRecord } from './kinds.js';
import type { VersionRow } from './node-versions.js';

/** The snapshots of a change: above it, undo would cost more than it is worth. */
const MAX_SNAPSHOT_BYTES = 16 * 1024 * 1024;

/** Throws INVALID_ARGUMENT where snapshots are too large. */
export function checkSnapshotBytes(bytes: number): void {
  if (bytes > MAX_SNAPSHOT_BYTES)
    throw invalidArgument(
      '/ids',
      'name records of more than 16 MiB together with their history, more than undo keeps: name fewer at once; a node that is too large alone is deleted for good by memory_delete_node',
    );
}

/** A record as it was before a change. */
export interface Snapshot {
  readonly kind: Kind;
  readonly record: MemoryRecord;
  /** The versions of a node that was removed. */
  readonly versions?: readonly VersionRow[];
  /** Of a record that was changed, not removed: when, to tell whether it was changed since. */
  readonly changedAt?: string;
  /** Of the record that a merge kept. */
  readonly isKept?: true;
  /** Of a node that named a merged one, or came to name one: what alone is put back where the node was changed since. */
  readonly repointed?: {
    readonly column: 'superseded_by' | 'supersedes';
    readonly from: string | null;
    readonly to: string | null;
  };
}

/** A change that can be undone. */
export interface ChangeRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly kind: 'merge' | 'delete' | 'keep_apart';
  readonly changed_at: string;
  readonly changed_by: string;
  readonly undone_at: string | null;
  readonly before: string;
  readonly moved_edges: string;
}

export function isOfRemoved({ changedAt }: Snapshot): boolean {
  return changedAt === undefined;
}

/** Ids of the records that a change removed, from its snapshots. */
export function removedRecords(before: string): string[] {
  return (JSON.parse(before) as Snapshot[]).filter(isOfRemoved).map(({ record }) => record.id);
}

/** A snapshot whose record belongs to the workspace where its project was deleted. */
export function withoutProject(snapshot: Snapshot, deleted: ReadonlySet<string>): Snapshot {
  const { record } = snapshot;
  if (record.project_id === null || !deleted.has(record.project_id)) return snapshot;
  return { ...snapshot, record: { ...record, project_id: null } };
}
