import type { RecordChange, Sql } from '@service-mcp/core';
import type { Kind } from './kinds.js';
import { bandsOf, differInFact, shinglesOf, similarity } from './similarity.js';

/** Records at least as similar as this are duplicates of each other. */
export const DUPLICATE = 0.8;
/** Records that share a band are compared up to this many. */
const MAX_COMPARED = 50;
const MAX_DUPLICATES = 10;

interface Text {
  readonly id: string;
  readonly workspace_id: string;
  readonly title: string;
  readonly content: string;
}

export interface Duplicate {
  readonly id: string;
  readonly similarity: number;
}

/** Brings the bands of a record in line with its text, in the transaction of its change. */
export async function followBands(sql: Sql, record: Text, change: RecordChange): Promise<void> {
  const { id: record_id, workspace_id } = record;
  if (change !== 'created') await sql('memory_bands').where({ record_id }).delete();
  if (change === 'removed') return;
  const bands = new Set(bandsOf(shinglesOf(record)));
  await sql('memory_bands').insert([...bands].map((band) => ({ record_id, workspace_id, band })));
}

/**
 * The living records that say the same as a text, the most similar first: of its project (null: outside projects), and
 * nodes of its type that are not superseded.
 */
export async function duplicatesOf(
  sql: Sql,
  kind: Kind,
  text: Omit<Text, 'id'> & { readonly project_id: string | null; readonly node_type?: string },
): Promise<Duplicate[]> {
  const shingles = shinglesOf(text);
  const { workspace_id, project_id, node_type } = text;
  const alike = sql('memory_bands')
    .where({ workspace_id })
    .whereIn('band', bandsOf(shingles))
    .distinct('record_id');
  const records = sql(`memory_${kind}s`).where({ project_id, deleted: 0 });
  if (node_type !== undefined) void records.where({ node_type }).whereNot({ status: 'superseded' });
  const rows = (await records
    .whereIn('id', alike)
    .orderBy('id', 'desc')
    .limit(MAX_COMPARED)
    .select('id', 'title', 'content')) as Text[];
  return rows
    .filter((row) => !differInFact(text, row))
    .map((row) => ({ id: row.id, similarity: rounded(similarity(shingles, shinglesOf(row))) }))
    .filter((found) => found.similarity >= DUPLICATE)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_DUPLICATES);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
