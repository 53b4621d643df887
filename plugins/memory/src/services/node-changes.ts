import {
  CallAdmission,
  ServiceError,
  invalidArgument,
  provideForCall,
  token,
  type Sql,
} from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { KnowledgeNodes, type KnowledgeNode } from '../nodes.js';
import { noteReason, type VersionRow } from './node-versions.js';

/** A new node that takes the place of another one. */
interface Successor {
  readonly title: string;
  readonly content: string;
  /** RFC 3339, UTC; default: now. Neither before the old node nor in the future. */
  readonly valid_from?: string | undefined;
}

/** Changes of the status of nodes: each keeps what was held true before. */
export interface NodeChanges {
  /**
   * Closes a node and puts its successor in its place: an existing node, or a new one with its own title and content
   * and the kind, project and tags of the old one. It closes where its successor begins, if that is during its validity.
   * Throws CONFLICT where one of them is superseded already.
   */
  supersede(
    id: string,
    by: { readonly id: string } | Successor,
    reason: string | undefined,
  ): Promise<{ old: KnowledgeNode; new: KnowledgeNode }>;
  /** Throws CONFLICT for a superseded node. */
  setStatus(
    id: string,
    status: 'active' | 'disputed' | 'verified',
    reason: string | undefined,
  ): Promise<KnowledgeNode>;
}
export const NodeChanges = token<NodeChanges>('memory.NodeChanges');

function superseded({ id, superseded_by }: KnowledgeNode): ServiceError {
  return new ServiceError(
    'CONFLICT',
    superseded_by === null
      ? `The node ${id} is superseded. Name one that holds, or let it hold again with memory_set_node_status.`
      : `The node ${id} was superseded by ${superseded_by}. Pass the id of that one.`,
    { details: { id, superseded_by } },
  );
}

/** Whether the successor of a node is there. A node may hold again whose successor was deleted, or is not named by an import. */
async function hasSuccessor(sql: Sql, { status, superseded_by }: KnowledgeNode): Promise<boolean> {
  if (status !== 'superseded' || superseded_by === null) return false;
  return (await sql('memory_nodes').where({ id: superseded_by, deleted: 0 }).first('id')) !== undefined;
}

/** When a superseded node was to end before it was superseded. */
async function endBefore(sql: Sql, node_id: string): Promise<string | null> {
  const versions = sql<VersionRow>('memory_node_versions').where({ node_id });
  const last = await versions
    .where('status', '<>', 'superseded')
    .orderBy('version', 'desc')
    .first('valid_to');
  return last?.valid_to ?? null;
}

export const nodeChanges = provideForCall(NodeChanges, {
  uses: { nodes: KnowledgeNodes, projects: ProjectDirectory, admission: CallAdmission },
  create: ({ nodes, projects, admission }): NodeChanges => ({
    supersede(id, by, reason) {
      if ('id' in by && by.id === id)
        throw invalidArgument('/superseded_by', 'a node cannot supersede itself');
      return nodes.change(async (own, sql) => {
        if (!('id' in by)) {
          // Or the deletion of the project would miss the successor. It locks the project first, too.
          const { project_id } = await own.get(id);
          if (project_id !== null) await projects.lock(sql, project_id);
        }
        // Locked in one order, so that two calls wait for each other.
        const ids = ['id' in by ? by.id : id, id].sort();
        await sql('memory_nodes').whereIn('id', ids).orderBy('id').forUpdate().select('id'); // SQLite has one writer anyway
        const old = await own.get(id);
        if (await hasSuccessor(sql, old)) throw superseded(old);
        const successor =
          'id' in by ? await own.get(by.id) : await own.create(successorOf(old, own.time, by), CREATED);
        if (successor.workspace_id !== old.workspace_id)
          throw invalidArgument('/superseded_by', 'is a node of another workspace');
        if (successor.status === 'superseded') throw superseded(successor);
        if (successor.valid_from > own.time)
          throw invalidArgument(
            '/superseded_by',
            'begins to hold in the future: end the old node with memory_update_node and valid_to, at that time',
          );
        // The one moment of both: at any other, neither holds or both do.
        const begins = successor.valid_from;
        const end = begins >= old.valid_from && begins < own.time ? begins : own.time;
        const valid_to = old.valid_to !== null && old.valid_to < end ? old.valid_to : end;
        const closed = { status: 'superseded', valid_to, superseded_by: successor.id } as const;
        const ended = await own.update(id, closed, 'memory.node.superseded');
        await noteReason(sql, id, reason);
        if (successor.supersedes !== null) return { old: ended, new: successor }; // its first one
        return { old: ended, new: await own.update(successor.id, { supersedes: id }, 'memory.node.updated') };
      });

      function successorOf(old: KnowledgeNode, time: string, { title, content, valid_from }: Successor) {
        if (valid_from !== undefined && valid_from > time)
          throw invalidArgument(
            '/valid_from',
            'must not be in the future: end the old node with memory_update_node and valid_to, and create the new one with memory_create_node',
          );
        if (valid_from !== undefined && valid_from < old.valid_from)
          throw invalidArgument(
            '/valid_from',
            `must not be before ${old.valid_from}, since when the old node is valid`,
          );
        const { project_id, node_type, tags, metadata, confidence, code_refs } = old;
        return {
          project_id,
          node_type,
          tags,
          metadata,
          confidence,
          code_refs,
          title,
          content,
          status: 'active' as const,
          valid_from: valid_from ?? time,
          valid_to: null,
          supersedes: id,
          superseded_by: null,
          created_by: admission.caller.userId,
        };
      }
    },
    setStatus: (id, status, reason) =>
      nodes.change(async (own, sql) => {
        await sql('memory_nodes').where({ id }).forUpdate().first('id'); // SQLite has one writer anyway
        const node = await own.get(id);
        if (await hasSuccessor(sql, node)) throw superseded(node);
        const reopened =
          node.status === 'superseded' ? { valid_to: await endBefore(sql, id), superseded_by: null } : {};
        const changed = await own.update(id, { status, ...reopened }, 'memory.node.updated');
        if (node.status !== status) await noteReason(sql, id, reason);
        return changed;
      }),
  }),
});

const CREATED = 'memory.node.created';
