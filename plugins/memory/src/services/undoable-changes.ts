import {
  CallAdmission,
  Clock,
  Database,
  Events,
  Quotas,
  ServiceError,
  WORK_PENDING,
  WorkQueues,
  invalidArgument,
  notFound,
  provideForCall,
  token,
  uuidv7,
  type RecordEvents,
  type Sql,
} from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { KnowledgeNode } from '../nodes.js';
import { moveEdges, restoreEdges, type MovedEdge } from './edge-store.js';
import { followMerges } from './follow-merges.js';
import { findKinds, type Kind } from './kinds.js';
import { undoKeptApart } from './apart-store.js';
import { exceedsRecord, gained } from './merging.js';
import { recordSnapshots } from './record-snapshots.js';
import { CHANGES } from './resource-owners.js';
import { noteRemoved, takeRemoved } from './removed-records.js';
import {
  checkSnapshotBytes,
  isOfRemoved,
  withoutProject,
  type ChangeRow,
  type Snapshot,
} from './snapshots.js';
import { readSuccessors, successorAmong, supersededThrough } from './successors.js';

/** Changes of several records at once, which can be undone for thirty days. */
export interface UndoableChanges {
  /** Throws NOT_FOUND, and then deletes nothing. */
  remove(ids: readonly string[]): Promise<{ change_id: string; deleted: number }>;
  /** Deletes all but one, which gains their tags, references, fields that it lacks, and the highest importance. Throws NOT_FOUND. */
  merge(ids: readonly string[], keep: string): Promise<{ change_id: string; kept: string; merged: string[] }>;
  /**
   * Throws CONFLICT where the change was undone before, and RESOURCE_EXHAUSTED. `left`: what a merge kept, where it was
   * changed or deleted since.
   */
  undo(changeId: string): Promise<{ change_id: string; restored: string[]; left: string[] }>;
}
export const UndoableChanges = token<UndoableChanges>('memory.UndoableChanges');

/** Nodes that name merged ones and are changed with them, of each of the two references. */
const MAX_REPOINTED = 500;

export const undoableChanges = provideForCall(UndoableChanges, {
  uses: {
    database: Database,
    events: Events,
    queues: WorkQueues,
    quotas: Quotas,
    clock: Clock,
    projects: ProjectDirectory,
    admission: CallAdmission,
  },
  create({ events, queues, quotas, clock, projects, admission }): UndoableChanges {
    const { read, take, alter, restore, checkTexts } = recordSnapshots({
      queues,
      clock,
      userId: admission.caller.userId,
    });
    const now = () => clock.now().toISOString();

    async function note(
      sql: Sql,
      kind: ChangeRow['kind'],
      snapshots: readonly Snapshot[],
      moved: readonly MovedEdge[] = [],
    ): Promise<string> {
      const [before, moved_edges] = [JSON.stringify(snapshots), JSON.stringify(moved)];
      checkSnapshotBytes(Buffer.byteLength(before) + moved_edges.length);
      const id = uuidv7();
      const workspace_id = snapshots[0]?.record.workspace_id ?? '';
      const changed = { changed_at: now(), changed_by: admission.caller.userId, undone_at: null };
      await sql('memory_changes').insert({ id, workspace_id, kind, ...changed, before, moved_edges });
      const gone = snapshots.filter(isOfRemoved);
      await noteRemoved(
        sql,
        { id, workspace_id },
        gone.map(({ record }) => record.id),
      );
      const removed = (of: Kind) => gone.filter(({ kind: each }) => each === of).length;
      await quotas.count(sql, workspace_id, { events: -removed('event'), nodes: -removed('node') });
      return id;
    }

    /** Projects that were deleted since the change. The others are locked until the transaction ends. */
    async function deletedProjects(sql: Sql, snapshots: readonly Snapshot[]): Promise<ReadonlySet<string>> {
      const deleted = new Set<string>();
      for (const id of new Set(snapshots.map(({ record }) => record.project_id)))
        if (id !== null && !(await projects.lock(sql, id))) deleted.add(id);
      return deleted;
    }

    const change = async <T>(work: (sql: Sql, record: RecordEvents) => Promise<T>): Promise<T> => {
      const result = await events.change(work);
      events.wake(WORK_PENDING);
      return result;
    };

    async function kindsOf(sql: Sql, ids: readonly string[]): Promise<Map<string, Kind>> {
      const kinds = await findKinds(sql, ids, admission);
      const absent = ids.find((id) => !kinds.has(id));
      if (absent !== undefined) throw notFound('memory', absent, 'memory_search');
      return kinds;
    }

    return {
      remove: (ids) =>
        change(async (sql, record) => {
          const kinds = await kindsOf(sql, ids);
          const snapshots: Snapshot[] = [];
          for (const kind of ['event', 'node'] as const) {
            const own = [...kinds].filter(([, each]) => each === kind).map(([id]) => id);
            if (own.length > 0) snapshots.push(...(await take(sql, record, kind, own)));
          }
          return { change_id: await note(sql, 'delete', snapshots), deleted: snapshots.length };
        }),

      merge: (ids, keep) =>
        change(async (sql, record) => {
          const others = [...new Set(ids)].filter((id) => id !== keep).sort();
          if (others.length === ids.length) throw invalidArgument('/keep', 'must be one of ids');
          if (others.length === 0)
            throw invalidArgument('/ids', 'must name another record than the one to keep');
          const kinds = await kindsOf(sql, [...others, keep]);
          const kind = kinds.get(keep) ?? 'event';
          if ([...kinds.values()].some((each) => each !== kind))
            throw invalidArgument('/ids', 'name events and nodes: only records of one kind can be merged');
          const [kept] = await read(sql, kind, [keep]);
          if (!kept) throw notFound('memory', keep, 'memory_search');
          const successor =
            'superseded_by' in kept && successorAmong(await readSuccessors(sql, [keep]), kept, others);
          if (successor) throw invalidArgument('/keep', `was superseded by ${successor}: keep that one`);
          const taken = await take(sql, record, kind, others);
          const more = taken.reduce((all, { record: other }) => ({ ...all, ...gained(all, other) }), kept);
          if (exceedsRecord(more))
            throw invalidArgument(
              '/ids',
              'hold more tags, references or metadata together than one record can',
            );
          const { tags, metadata, code_refs } = more;
          const named =
            'supersedes' in more && 'supersedes' in kept
              ? {
                  column: 'supersedes' as const,
                  from: kept.supersedes,
                  to: supersededThrough(
                    more,
                    taken.map((each) => each.record),
                  ),
                }
              : undefined;
          const own =
            'provenance' in more
              ? { provenance: more.provenance, importance: more.importance }
              : { supersedes: named?.to ?? null };
          const snapshot = await alter(
            sql,
            record,
            { kind, before: kept },
            { tags, metadata, code_refs, ...own },
          );
          const snapshots: Snapshot[] = [
            ...taken,
            { ...snapshot, isKept: true, ...(named && { repointed: named }) },
          ];
          if (kind === 'node') snapshots.push(...(await repoint(sql, record, others, keep)));
          const moved = await moveEdges(sql, record, kept, others);
          return { change_id: await note(sql, 'merge', snapshots, moved), kept: keep, merged: others };
        }),

      undo: (change_id) =>
        change(async (sql, record) => {
          const changes = () => sql<ChangeRow>('memory_changes').where({ id: change_id });
          const row = await changes().first();
          const snapshots = JSON.parse(row?.before ?? '[]') as Snapshot[];
          // Before the lock on the change: the deletion of a workspace takes these locks in the same order.
          const deleted = await deletedProjects(sql, snapshots);
          const locked = await changes().forUpdate().first('undone_at');
          if (!row || !locked) throw notFound('change', change_id, CHANGES);
          if (locked.undone_at !== null)
            throw new ServiceError('CONFLICT', `The change ${change_id} was undone at ${locked.undone_at}.`);
          const restored = { event: 0, node: 0 };
          const left: string[] = [];
          for (const snapshot of (await followMerges(sql, row, snapshots)).toReversed()) {
            const outcome = await restore(sql, record, withoutProject(snapshot, deleted));
            if (outcome === 'back') restored[snapshot.kind] += 1;
            if (outcome === 'left') left.push(snapshot.record.id);
          }
          const moved = JSON.parse(row.moved_edges) as MovedEdge[];
          await restoreEdges(sql, record, row.workspace_id, moved);
          await changes().update({ undone_at: now(), before: '[]', moved_edges: '[]' });
          await takeRemoved(sql, change_id);
          await quotas.count(sql, row.workspace_id, { events: restored.event, nodes: restored.node });
          const apart = await undoKeptApart(sql, change_id);
          const ids = snapshots.map(({ record: { id } }) => id).filter((id) => !left.includes(id));
          return { change_id, restored: [...ids, ...apart], left };
        }),
    };

    /**
     * Nodes that name merged ones as successor or predecessor name the kept one instead. Throws INVALID_ARGUMENT where these
     * are too many, or too large for undo, before they are read.
     */
    async function repoint(
      sql: Sql,
      record: RecordEvents,
      merged: readonly string[],
      keep: string,
    ): Promise<Snapshot[]> {
      const snapshots: Snapshot[] = [];
      for (const column of ['superseded_by', 'supersedes'] as const) {
        const ids = (await sql('memory_nodes')
          .whereIn(column, merged)
          .where({ deleted: 0 })
          .whereNot({ id: keep })
          .orderBy('id')
          .limit(MAX_REPOINTED + 1)
          .forUpdate() // or a change at this moment is lost by undo; SQLite has one writer anyway
          .pluck('id')) as string[];
        if (ids.length > MAX_REPOINTED)
          throw invalidArgument(
            '/ids',
            `are named as successor or predecessor by more than ${MAX_REPOINTED} nodes, each of which would change: keep the one that they name`,
          );
        await checkTexts(sql, 'node', ids);
        const naming = (await read(sql, 'node', ids)) as KnowledgeNode[];
        const successors =
          column === 'supersedes' ? await readSuccessors(sql, ids) : new Map<string, string>();
        for (const before of naming) {
          const isEarlier = column === 'supersedes' && successorAmong(successors, before, [keep]);
          const to = isEarlier ? null : keep;
          const snapshot = await alter(sql, record, { kind: 'node', before }, { [column]: to });
          snapshots.push({ ...snapshot, repointed: { column, from: before[column], to } });
        }
      }
      return snapshots;
    }
  },
});
