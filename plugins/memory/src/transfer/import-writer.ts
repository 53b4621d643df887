import {
  ServiceError,
  WORK_PENDING,
  type Events,
  type Quotas,
  type RecordEvents,
  type Records,
  type Sql,
  type WorkQueues,
} from '@service-mcp/core';
import type { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { KnowledgeEdge } from '../edges.js';
import type { KnowledgeNode } from '../nodes.js';
import { shortened } from '../services/sentences.js';
import { livingEdges } from '../services/edge-store.js';
import { addBands } from '../services/duplicates.js';
import { utc } from '../schemas.js';
import { CODECS, KINDS, type Kind, type MemoryRecord } from '../services/kinds.js';
import { addCodePlaces } from '../services/code-places.js';
import { addLeftTerms } from '../services/left-terms.js';
import { addTags } from '../services/tags.js';
import { findCircles } from './find-circles.js';
import { growNodes, type Growth } from './grow-nodes.js';
import { fail, idsIn, only, type Entry, type Tally } from './import-entries.js';
import type { EdgeLine, EventLine, NodeLine } from './lines.js';
import { livingNodes } from './living-nodes.js';
import { mapId } from './map-id.js';
import { recordOfLine, type Ids, type ImportScope, type RecordFields } from './record-of-line.js';
import { writeVersions } from './write-versions.js';

interface ImportServices {
  readonly events: Events;
  readonly queues: WorkQueues;
  readonly quotas: Quotas;
  readonly projects: ProjectDirectory;
  readonly nodes: Records<KnowledgeNode>;
}

/** Attempts to write a batch; others may take the room that it counts on. */
const MAX_ATTEMPTS = 5;
/** Of the name of an absent node, in a message. */
const MAX_NAME = 100;
const CIRCLE =
  'superseded_by: closes a circle of nodes that supersede each other; import the newest of them with another status and without superseded_by';

/**
 * Writes batches of lines into a workspace, each in one transaction with its change event and its work for the index.
 * Ids of the workspace itself stay, all others are mapped. Records that are there are skipped.
 */
export class ImportWriter {
  readonly #scope: ImportScope;
  readonly #services: ImportServices;
  /** The node whose versions may go on in the next batch. */
  #lastNode = '';
  /** Projects that were deleted while the import ran. */
  readonly #deleted = new Set<string>();

  constructor(scope: ImportScope, services: ImportServices) {
    this.#scope = scope;
    this.#services = services;
  }

  /**
   * Records over a quota are faults of their lines. `isOpen`: the versions of its last node may go on. Throws
   * RESOURCE_EXHAUSTED where others keep taking the room.
   */
  async write(batch: readonly Entry[], { isOpen }: { readonly isOpen: boolean }): Promise<Tally> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#write(batch, isOpen);
      } catch (error) {
        const isFull = error instanceof ServiceError && error.code === 'RESOURCE_EXHAUSTED';
        if (!isFull || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #write(batch: readonly Entry[], isOpen: boolean): Promise<Tally> {
    const { events, quotas, nodes: all } = this.#services;
    let lastNode = '';
    let growths: Growth[] = [];
    const tally = await events.change(async (sql, record) => {
      const outcome: Tally = { imported: 0, skipped: 0, faults: [] };
      await this.#lockProjects(sql, batch);
      const ids = await this.#ids(sql, batch);
      const added = await this.#records(sql, 'event', only(batch, 'event'), ids, outcome);
      const nodes = await this.#records(sql, 'node', only(batch, 'node'), ids, outcome);
      const recordOf = (line: RecordFields) => this.#recordOf(line, ids);
      const histories = {
        batch,
        added: nodes,
        lastNode: this.#lastNode,
        isOpen,
        ids,
        scope: this.#scope,
        recordOf,
      };
      lastNode = await writeVersions(sql, histories, outcome);
      await this.#edges(sql, only(batch, 'edge'), ids, outcome);
      growths = growthsIn(batch, nodes, ids);
      this.#announce(record, outcome.imported);
      await quotas.count(sql, this.#scope.workspaceId, { events: added.size, nodes: nodes.size });
      return outcome;
    });
    this.#lastNode = lastNode;
    await growNodes(all, growths, tally);
    events.wake(WORK_PENDING);
    return tally;
  }

  async #lockProjects(sql: Sql, batch: readonly Entry[]): Promise<void> {
    const named = batch.flatMap(({ value }) =>
      value.record === 'edge' ? [] : [value.record === 'version' ? value.node.project_id : value.project_id],
    );
    for (const id of new Set(named))
      if (id !== null && !this.#deleted.has(id) && !(await this.#services.projects.lock(sql, id)))
        this.#deleted.add(id);
  }

  #announce(record: RecordEvents, records: number): void {
    const { workspaceId } = this.#scope;
    if (records > 0) record({ type: 'memory.imported', workspaceId, data: { records } });
  }

  /** How ids of a batch are mapped. */
  async #ids(sql: Sql, batch: readonly Entry[]): Promise<Ids> {
    const { workspaceId: workspace_id } = this.#scope;
    const named = [...new Set(batch.flatMap(({ value }) => idsIn(value)))];
    const own = new Set<string>();
    for (const rows of [
      sql('memory_events').where({ deleted: 0 }),
      sql('memory_nodes').where({ deleted: 0 }),
      livingEdges(sql, [workspace_id]), // those of deleted nodes belong to an undo
    ])
      for (const id of (await rows.where({ workspace_id }).whereIn('id', named).pluck('id')) as string[])
        own.add(id);
    return (id) => (own.has(id) ? id : mapId(workspace_id, id));
  }

  /** Inserts events or nodes; returns those that are new, by their new ids, in the order of the lines. */
  async #records(
    sql: Sql,
    kind: Kind,
    entries: readonly Entry<EventLine | NodeLine>[],
    ids: Ids,
    tally: Tally,
  ): Promise<Map<string, MemoryRecord>> {
    const added = new Map<string, MemoryRecord>();
    if (entries.length === 0) return added;
    const { table } = KINDS[kind];
    const { encode } = CODECS[kind];
    const queue = this.#services.queues.open({ name: table, table });
    const wanted = new Map<string, { readonly line: number; readonly record: MemoryRecord }>();
    for (const { line, value } of entries) {
      const id = ids(value.id);
      if (wanted.has(id)) tally.skipped += 1;
      else wanted.set(id, { line, record: this.#recordOf(value, ids) });
    }
    const there = (await sql(table)
      .whereIn('id', [...wanted.keys()])
      .select('id', 'workspace_id', 'deleted')) as Array<{
      id: string;
      workspace_id: string;
      deleted: number;
    }>;
    const found = new Map(there.map((row) => [row.id, row]));
    const ofOther = new Set(
      (await sql(KINDS[kind === 'event' ? 'node' : 'event'].table)
        .whereIn('id', [...wanted.keys()])
        .pluck('id')) as string[],
    );
    const circles = await findCircles(
      sql,
      [...wanted].flatMap(([id, { record }]) =>
        'superseded_by' in record && found.get(id)?.deleted !== 0 ? [{ ...record, id }] : [],
      ),
    );
    const fresh: Array<{ readonly id: string }> = [];
    const room = await this.#services.quotas.room(sql, this.#scope.workspaceId, `${kind}s`);
    let left = room?.left ?? Infinity;
    for (const [id, { line, record }] of wanted) {
      const { indexing_status: _status, indexing_error: _error, ...columns } = encode(record);
      const row = found.get(id);
      if ((row && row.workspace_id !== record.workspace_id) || ofOther.has(id)) {
        fail(tally, line, 'id: belongs to another record');
        continue;
      }
      if (row?.deleted === 0) {
        tally.skipped += 1;
        continue;
      }
      if (circles.has(id)) {
        fail(tally, line, CIRCLE);
        continue;
      }
      if (left === 0) {
        fail(tally, line, room?.refusal.message ?? '');
        continue;
      }
      left -= 1;
      if (!row) fresh.push({ ...columns, ...queue.added(), id });
      else {
        // Deleted, and still on its way out of the index.
        const revived = await sql(table)
          .where({ id, deleted: 1 })
          .update({ ...columns, ...queue.changed(sql), deleted: 0 });
        if (revived > 0) added.set(id, record);
        else tally.skipped += 1; // another import was faster
      }
    }
    if (fresh.length > 0) {
      fresh.sort((a, b) => (a.id < b.id ? -1 : 1)); // in one order, so that two imports wait for each other
      const inserted = (await sql(table).insert(fresh).onConflict('id').ignore().returning('id')) as Array<{
        id: string;
      }>;
      tally.skipped += fresh.length - inserted.length; // another import of the same lines was faster
      const isInserted = new Set(inserted.map(({ id }) => id));
      for (const [id, { record }] of wanted) if (isInserted.has(id)) added.set(id, record);
    }
    tally.imported += added.size;
    await addTags(sql, [...added.values()]);
    await addCodePlaces(sql, [...added.values()]);
    await addBands(sql, [...added.values()]);
    await addLeftTerms(sql, [...added.values()]);
    return added;
  }

  async #edges(sql: Sql, entries: readonly Entry<EdgeLine>[], ids: Ids, tally: Tally): Promise<void> {
    if (entries.length === 0) return;
    const { userId, workspaceId: workspace_id, now } = this.#scope;
    const ends = entries.flatMap(({ value }) => [ids(value.source_node_id), ids(value.target_node_id)]);
    const there = await livingNodes(sql, ends, workspace_id);
    const rows: KnowledgeEdge[] = [];
    for (const { line, value, ends: named } of entries) {
      const { record: _record, created_at = now, created_by = userId, ...edge } = value;
      const [source_node_id, target_node_id] = [ids(edge.source_node_id), ids(edge.target_node_id)];
      const absent = !there.has(source_node_id)
        ? 'source'
        : !there.has(target_node_id)
          ? 'target'
          : undefined;
      if (absent) {
        const name = named ? JSON.stringify(shortened(named[absent], MAX_NAME)) : edge[`${absent}_node_id`];
        fail(tally, line, `${absent}_node_id: ${name} is not a node of the workspace`);
      } else if (source_node_id === target_node_id)
        fail(tally, line, 'target_node_id: must be another node than source_node_id');
      else
        rows.push({
          ...edge,
          id: ids(edge.id),
          workspace_id,
          source_node_id,
          target_node_id,
          created_at: utc(created_at),
          created_by,
        });
    }
    if (rows.length === 0) return;
    const made = (await sql('memory_edges').insert(rows).onConflict().ignore().returning('id')) as unknown[];
    tally.imported += made.length;
    tally.skipped += rows.length - made.length;
  }

  /** The record of a line in this workspace, to which the records of a deleted project belong. */
  #recordOf(line: RecordFields, ids: Ids): MemoryRecord {
    const project_id = this.#deleted.has(line.project_id ?? '') ? null : line.project_id;
    return recordOfLine({ ...line, project_id }, ids, this.#scope);
  }
}

/** The lines of a batch that may say more of nodes that were there, or that an earlier line of it made. */
function growthsIn(batch: readonly Entry[], added: ReadonlyMap<string, MemoryRecord>, ids: Ids): Growth[] {
  const made = new Set<string>();
  return only(batch, 'node').flatMap(({ line, value, grows }) => {
    const id = ids(value.id);
    if (!grows || (added.has(id) && !made.has(id))) {
      made.add(id);
      return [];
    }
    return [{ line, id, content: value.content }];
  });
}
