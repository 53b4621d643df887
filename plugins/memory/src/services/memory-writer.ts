import {
  CallAdmission,
  Clock,
  Database,
  ServiceError,
  notFound,
  provideForCall,
  token,
} from '@service-mcp/core';
import type { RecordChanges, RecordEvents, RecordValues, Sql } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { MemoryEvents, type MemoryEvent } from '../events.js';
import { KnowledgeNodes, type KnowledgeNode } from '../nodes.js';
import type { Relations } from '../schemas.js';
import { duplicatesOf, type Contradiction, type Duplicate } from './duplicates.js';
import { lockNodes, putEdge } from './edge-store.js';
import { KINDS, type Kind, type MemoryRecord } from './kinds.js';
import { exceedsRecord, gained } from './merging.js';
import { nodesLeftBy } from './replacements.js';

export type OnDuplicate = 'keep' | 'merge' | 'reject';
type Stored<Row> = Row & { duplicates: Duplicate[] };
type Compared<Row> = Row & { duplicates: Duplicate[]; contradictions: Contradiction[] };

/**
 * Stores records, and names those that say the same, and the nodes that contradict a node, or that it says it leaves. Throws CONFLICT where `reject` meets a twin; `merge` answers with
 * a twin that has all words of the record and holds as it does, and gains the fields that it lacks: nothing is lost. Throws NOT_FOUND where the project is deleted at this moment.
 */
export interface MemoryWriter {
  storeEvent(values: RecordValues<MemoryEvent>, onDuplicate: OnDuplicate): Promise<Stored<MemoryEvent>>;
  /** Relates the node, or its twin, in the same transaction. Throws NOT_FOUND for an absent target. */
  storeNode(
    values: RecordValues<KnowledgeNode>,
    onDuplicate: OnDuplicate,
    relations: Relations,
  ): Promise<Compared<KnowledgeNode>>;
}
export const MemoryWriter = token<MemoryWriter>('memory.Writer');

export const memoryWriter = provideForCall(MemoryWriter, {
  uses: {
    events: MemoryEvents,
    nodes: KnowledgeNodes,
    database: Database,
    clock: Clock,
    projects: ProjectDirectory,
    admission: CallAdmission,
  },
  create({ events, nodes, database, clock, projects, admission }): MemoryWriter {
    const { workspaceId: workspace_id, workspaceIds, caller } = admission;
    const arrived = clock.now().toISOString();

    /** From when on a record holds: from now on where that is not said, after the wait for others, which hold by now. */
    function since(values: { readonly title: string; readonly valid_from?: string }): string {
      const now = clock.now().toISOString();
      const from = values.valid_from ?? now;
      return from < arrived || from > now ? from : now;
    }

    /**
     * Makes the second of two calls that store the same at once see the first. The first lock of a call: after that of a
     * node, two calls that relate to their twin deadlock. SQLite has one writer anyway.
     */
    async function lockTwins(sql: Sql, onDuplicate: OnDuplicate): Promise<void> {
      if (onDuplicate !== 'keep' && database.engine === 'postgresql')
        await sql.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`memory ${workspace_id}`]);
    }

    /** Or the deletion of the project would miss a record that is stored beside it. */
    async function lockProject(sql: Sql, id: string | null): Promise<void> {
      if (id !== null && !(await projects.lock(sql, id))) throw notFound('project', id, 'projects_list');
    }

    /** Locks a record until the transaction ends; false where it was deleted meanwhile. */
    const lock = async (sql: Sql, kind: Kind, id: string): Promise<boolean> =>
      (await sql(KINDS[kind].table).where({ id, deleted: 0 }).forUpdate().first('id')) !== undefined;

    async function store<Row extends MemoryRecord>(
      kind: Kind,
      { own, sql }: { own: RecordChanges<Row>; sql: Sql },
      values: RecordValues<Row>,
      onDuplicate: OnDuplicate,
    ): Promise<Compared<Row>> {
      const { holder, ...found } = await duplicatesOf(sql, kind, { ...values, workspace_id }, since(values));
      const twin = onDuplicate === 'merge' ? holder : found.duplicates[0];
      const create = async () => ({
        ...(await own.create(values, `memory.${kind}.created`)),
        ...found,
      });
      if (!twin || onDuplicate === 'keep') return create();
      if (!(await lock(sql, kind, twin.id))) return store(kind, { own, sql }, values, onDuplicate);
      if (onDuplicate === 'reject')
        throw new ServiceError(
          'CONFLICT',
          `The ${kind} ${twin.id} says the same. Change it with memory_update_${kind}, or store this one with on_duplicate "keep".`,
          { details: { ...twin } },
        );
      const more = gained(await own.get(twin.id), values);
      if (exceedsRecord(more))
        throw new ServiceError(
          'CONFLICT',
          `The ${kind} ${twin.id} says the same, but cannot hold the tags, references and metadata of both. Store this one with on_duplicate "keep".`,
          { details: { ...twin } },
        );
      const merged = more as Partial<RecordValues<Row>>; // fields of both kinds
      return { ...(await own.update(twin.id, merged, `memory.${kind}.updated`)), ...found };
    }

    async function relate(
      sql: Sql,
      record: RecordEvents,
      source_node_id: string,
      relations: Relations,
    ): Promise<void> {
      const made = { context: null, created_at: clock.now().toISOString(), created_by: caller.userId };
      for (const { relation_type, target_id: target_node_id, weight } of relations) {
        if (target_node_id === source_node_id) continue; // the twin itself
        const ends = { workspace_id, source_node_id, target_node_id };
        await putEdge(sql, record, { ...ends, relation_type, weight, ...made });
      }
    }

    return {
      storeEvent: (values, onDuplicate) =>
        events.change(async (own, sql) => {
          await lockTwins(sql, onDuplicate);
          await lockProject(sql, values.project_id);
          const { contradictions: _none, ...event } = await store('event', { own, sql }, values, onDuplicate);
          return event;
        }),
      storeNode: (values, onDuplicate, relations) =>
        nodes.change(async (own, sql, record) => {
          await lockTwins(sql, onDuplicate);
          await lockProject(sql, values.project_id);
          const targets = relations.map(({ target_id }) => target_id);
          if (targets.length > 0) await lockNodes(sql, targets, workspaceIds);
          const node = await store('node', { own, sql }, values, onDuplicate);
          await relate(sql, record, node.id, relations);
          const named = new Set([node.id, ...targets, ...node.contradictions.map(({ id }) => id)]);
          const left = node.node_type === 'decision' ? await nodesLeftBy(sql, node) : [];
          const contradictions = [
            ...node.contradictions.filter(({ id }) => !targets.includes(id)),
            ...left.filter(({ id }) => !named.has(id)),
          ];
          return { ...node, contradictions };
        }),
    };
  },
});
