import type { Sql } from '@service-mcp/core';
import type { KnowledgeNode } from '../nodes.js';
import { utc } from '../schemas.js';
import type { MemoryRecord } from '../services/kinds.js';
import { addVersions, versionRow, type VersionRow } from '../services/node-versions.js';
import { fail, only, type Entry, type Tally } from './import-entries.js';
import { livingNodes } from './living-nodes.js';
import type { Ids, ImportScope, RecordFields } from './record-of-line.js';
import {
  forgetUnfinished,
  isNodeOfLine,
  lockUnfinished,
  noteUnfinished,
  type UnfinishedHistory,
} from './unfinished-histories.js';

export interface HistoryBatch {
  readonly batch: readonly Entry[];
  /** The nodes that the batch added, by their ids. */
  readonly added: ReadonlyMap<string, MemoryRecord>;
  /** The node of the batch before that its first versions belong to; empty: none. */
  readonly lastNode: string;
  /** Whether the lines of its last node may go on: in the next batch, or when a cut import is sent again. */
  readonly isOpen: boolean;
  readonly ids: Ids;
  readonly scope: ImportScope;
  readonly recordOf: (line: RecordFields) => MemoryRecord;
}

/**
 * Writes the versions of a batch: of nodes that it added, and of those whose import ended within their history. Versions
 * of other nodes are skipped: nobody adds to their history. Returns the node whose versions may go on, or ''.
 */
export async function writeVersions(sql: Sql, of: HistoryBatch, tally: Tally): Promise<string> {
  const { batch, added, ids, scope, isOpen } = of;
  const entries = only(batch, 'version');
  const unfinished = await unfinishedIn(sql, of);
  const rows: VersionRow[] = [];
  const others: Array<{ readonly line: number; readonly id: string }> = [];
  const versioned = new Set<string>();
  for (const { line, value } of entries) {
    const id = ids(value.node_id);
    if (!added.has(id) && !unfinished.has(id)) {
      others.push({ line, id });
      continue;
    }
    const { version, recorded_at, recorded_by = scope.userId, reason } = value;
    const node = of.recordOf({ ...value.node, id: value.node_id }) as KnowledgeNode; // of a node's line
    versioned.add(id);
    rows.push({ ...versionRow(node), version, recorded_at: utc(recorded_at), recorded_by, reason });
  }
  for (const [id, { is_implied }] of unfinished)
    if (is_implied === 1 && versioned.has(id))
      await sql('memory_node_versions').where({ node_id: id, version: 1 }).delete();
  const implied = [...added].filter(([id]) => !versioned.has(id));
  for (const [, node] of implied) {
    const first = { version: 1, recorded_at: node.updated_at, recorded_by: node.created_by, reason: null };
    rows.push({ ...versionRow(node as KnowledgeNode), ...first });
  }
  const count = await addVersions(sql, rows);
  tally.imported += Math.max(0, count - implied.length);
  tally.skipped += rows.length - count;
  await countOthers(sql, others, scope, tally);

  const last = batch.at(-1)?.value;
  const lastId = last?.record === 'node' ? ids(last.id) : last?.record === 'version' ? ids(last.node_id) : '';
  const open = isOpen && (added.has(lastId) || unfinished.has(lastId)) ? lastId : '';
  await forgetUnfinished(
    sql,
    [...unfinished.keys()].filter((id) => id !== open),
  );
  const isImplied = !versioned.has(open) && (unfinished.get(open)?.is_implied ?? 1) === 1;
  if (open !== '') await noteUnfinished(sql, open, isImplied, scope);
  return open;
}

/** The nodes whose history the batch may complete. */
async function unfinishedIn(
  sql: Sql,
  { batch, added, lastNode, ids, scope, recordOf }: HistoryBatch,
): Promise<Map<string, UnfinishedHistory>> {
  const stored = only(batch, 'node').filter(({ value }) => !added.has(ids(value.id)));
  const wanted = [...stored.map(({ value }) => ids(value.id)), ...(lastNode === '' ? [] : [lastNode])];
  const unfinished = await lockUnfinished(sql, wanted, scope);
  for (const { value } of stored)
    if (unfinished.has(ids(value.id)) && !(await isNodeOfLine(sql, value, recordOf(value))))
      unfinished.delete(ids(value.id));
  return unfinished;
}

async function countOthers(
  sql: Sql,
  others: ReadonlyArray<{ readonly line: number; readonly id: string }>,
  { workspaceId }: ImportScope,
  tally: Tally,
): Promise<void> {
  const there = await livingNodes(
    sql,
    others.map(({ id }) => id),
    workspaceId,
  );
  for (const { line, id } of others) {
    if (there.has(id)) tally.skipped += 1;
    else fail(tally, line, 'node_id: its node is not in the workspace; versions follow their node');
  }
}
