import { jsonCodec, jsonColumns, type Admission, type RecordChange, type Sql } from '@service-mcp/core';
import { MemoryEvent } from '../events.js';
import { KnowledgeNode } from '../nodes.js';
import { followBands } from './duplicates.js';
import { followCodePlaces } from './code-places.js';
import { followLeftTerms } from './left-terms.js';
import { followTags } from './tags.js';

export type Kind = 'event' | 'node';
export type MemoryRecord = MemoryEvent | KnowledgeNode;

/** What the two kinds of record differ in, for what is done with both. */
export const KINDS = {
  event: { table: 'memory_events', schema: MemoryEvent, time: 'occurred_at', type: 'event_type' },
  node: { table: 'memory_nodes', schema: KnowledgeNode, time: 'valid_from', type: 'node_type' },
} as const;

/** The columns of the two tables, and their values in the database. */
export const CODECS = { event: codecOf(MemoryEvent), node: codecOf(KnowledgeNode) };
function codecOf(schema: { readonly properties: object }) {
  const properties = schema.properties as Readonly<Record<string, unknown>>;
  return { columns: Object.keys(properties), ...jsonCodec(jsonColumns(properties)) };
}

/** The living records with these ids in the admitted workspaces, by kind. */
export async function findKinds(
  sql: Sql,
  ids: readonly string[],
  { workspaceIds }: Admission,
): Promise<Map<string, Kind>> {
  const kinds = new Map<string, Kind>();
  for (const kind of ['event', 'node'] as const) {
    const found = (await sql(KINDS[kind].table)
      .whereIn('id', ids)
      .whereIn('workspace_id', workspaceIds)
      .where({ deleted: 0 })
      .orderBy('id')
      .forUpdate() // in order, so that two changes wait for each other; SQLite has one writer anyway
      .pluck('id')) as string[];
    for (const id of found) kinds.set(id, kind);
  }
  return kinds;
}

/** Brings what hangs on a restored record in line with it. */
export async function followRestored(sql: Sql, record: MemoryRecord, change: RecordChange): Promise<void> {
  await followTags(sql, record, change);
  await followCodePlaces(sql, record, change);
  await followBands(sql, record, change);
  await followLeftTerms(sql, record, change);
}
