import { type Clock, type RecordEvents, type Sql, type WorkQueues } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { CODECS, KINDS, followRestored, type Kind, type MemoryRecord } from './kinds.js';
import { addVersions, followVersions, type VersionRow } from './node-versions.js';
import { checkSnapshotBytes, type Snapshot } from './snapshots.js';

interface SnapshotServices {
  readonly queues: WorkQueues;
  readonly clock: Clock;
  /** Who changes the records. */
  readonly userId: string;
}

interface CurrentRow {
  readonly updated_at: string;
  readonly deleted: number;
  readonly superseded_by?: string | null;
  readonly supersedes?: string | null;
}

/** Whether undo brought a record back, found it there, or left it as it was changed since. */
type Restored = 'back' | 'there' | 'left';

/** Reads, deletes, changes and restores records in the transaction of a change that can be undone. */
export function recordSnapshots({ queues, clock, userId }: SnapshotServices) {
  const queueOf = (kind: Kind) => queues.open({ name: KINDS[kind].table, table: KINDS[kind].table });
  const now = () => clock.now().toISOString();

  async function read(sql: Sql, kind: Kind, ids: readonly string[]): Promise<MemoryRecord[]> {
    const { columns, decode } = CODECS[kind];
    const rows = (await sql(KINDS[kind].table).whereIn('id', ids).orderBy('id').select(columns)) as object[];
    return rows.map((row) => decode(row) as unknown as MemoryRecord); // the schema names its columns
  }

  /** Notes that a record changed in a way that belongs to its kind. */
  const announce = (record: RecordEvents, kind: Kind, what: string, { id, workspace_id }: MemoryRecord) =>
    record({ type: `memory.${kind}.${what}`, workspaceId: workspace_id, data: { id } });

  /**
   * Throws INVALID_ARGUMENT where the texts of records, with or without their versions, are more than undo keeps, before
   * they are read.
   */
  async function checkTexts(
    sql: Sql,
    kind: Kind,
    ids: readonly string[],
    withVersions = false,
  ): Promise<void> {
    const lengthOf = async (table: string, column: string, ...texts: string[]): Promise<number> => {
      const all = sql.raw(texts.map((text) => `sum(length(${text}))`).join(' + '));
      const row = (await sql(table).whereIn(column, ids).first({ all })) as { all: number | string | null };
      return Number(row.all);
    };
    const versions = withVersions ? await lengthOf('memory_node_versions', 'node_id', 'node') : 0;
    checkSnapshotBytes(versions + (await lengthOf(KINDS[kind].table, 'id', 'content', 'metadata')));
  }

  /** Deletes records, with what hangs on them; gives what they were. Throws INVALID_ARGUMENT where that is too much. */
  async function take(
    sql: Sql,
    record: RecordEvents,
    kind: Kind,
    ids: readonly string[],
  ): Promise<Snapshot[]> {
    await checkTexts(sql, kind, ids, kind === 'node');
    const taken: Snapshot[] = [];
    for (const each of await read(sql, kind, ids)) {
      const versions =
        kind === 'node'
          ? ((await sql('memory_node_versions')
              .where({ node_id: each.id })
              .orderBy('version')) as VersionRow[])
          : undefined;
      taken.push({ kind, record: each, ...(versions && { versions }) });
      await followRestored(sql, each, 'removed');
      if (kind === 'node') await sql('memory_node_versions').where({ node_id: each.id }).delete();
      announce(record, kind, 'deleted', each);
    }
    await queueOf(kind).remove(sql, (rows) => rows.whereIn('id', ids));
    return taken;
  }

  /** Writes columns of a record; gives what it was. */
  async function alter(
    sql: Sql,
    record: RecordEvents,
    { kind, before }: { readonly kind: Kind; readonly before: MemoryRecord },
    values: object,
  ): Promise<Snapshot> {
    const changedAt = now();
    const columns = {
      ...CODECS[kind].encode(values),
      updated_at: changedAt,
      ...queueOf(kind).changed(sql),
    };
    await sql(KINDS[kind].table).where({ id: before.id }).update(columns);
    await settle(sql, kind, before.id);
    announce(record, kind, 'updated', before);
    return { kind, record: before, changedAt };
  }

  async function settle(sql: Sql, kind: Kind, id: string): Promise<void> {
    const [after] = await read(sql, kind, [id]);
    if (!after) return;
    await followRestored(sql, after, 'updated');
    if (kind === 'node')
      await followVersions(sql, { ...(after as KnowledgeNode), updated_at: now() }, 'updated', userId);
  }

  /**
   * Puts a record back as it was before. One that was not removed, and was changed or deleted since, stays as it is: what
   * was done to it since may be all that somebody has of it. Of a node, whom it names is put back.
   */
  async function restore(sql: Sql, record: RecordEvents, snapshot: Snapshot): Promise<Restored> {
    const { kind, record: before, versions, changedAt, repointed, isKept } = snapshot;
    const { table } = KINDS[kind];
    const { indexing_status: _status, indexing_error: _error, ...columns } = CODECS[kind].encode(before);
    const current = (await sql(table)
      .where({ id: before.id })
      .forUpdate()
      .first('updated_at', 'deleted', ...(repointed ? [repointed.column] : []))) as CurrentRow | undefined;
    const isDeleted = current?.deleted !== 0;
    if (changedAt !== undefined && (isDeleted || current.updated_at !== changedAt)) {
      if (repointed && !isDeleted && current[repointed.column] === repointed.to)
        await alter(sql, record, { kind, before }, { [repointed.column]: repointed.from });
      return isKept || !repointed ? 'left' : 'there';
    }
    if (changedAt === undefined && current?.deleted === 0) return 'there'; // an import brought it back
    const queue = queueOf(kind);
    if (current)
      await sql(table)
        .where({ id: before.id })
        .update({ ...columns, ...queue.changed(sql), deleted: 0 });
    else await sql(table).insert({ ...columns, ...queue.added() });
    if (changedAt !== undefined) {
      await settle(sql, kind, before.id);
      announce(record, kind, 'updated', before);
      return 'there';
    }
    if (versions) await addVersions(sql, versions);
    await followRestored(sql, before, 'created');
    announce(record, kind, 'restored', before);
    return 'back';
  }
  return { read, take, alter, restore, checkTexts };
}
