import { createHash } from 'node:crypto';
import type { RecordChange, Sql } from '@service-mcp/core';
import type { CheckedCodeRefs } from '../schemas.js';
import { insertRows } from './insert-rows.js';

interface AboutCode {
  readonly id: string;
  readonly workspace_id: string;
  readonly code_refs: CheckedCodeRefs;
}

/** Brings the rows of `memory_code_places` in line with a record, in the transaction of its change. */
export async function followCodePlaces(sql: Sql, record: AboutCode, change: RecordChange): Promise<void> {
  if (change !== 'created') await sql('memory_code_places').where({ record_id: record.id }).delete();
  if (change !== 'removed') await addCodePlaces(sql, [record]);
}

/** The places of new records. */
export async function addCodePlaces(sql: Sql, records: readonly AboutCode[]): Promise<void> {
  const rows = records.flatMap(({ id: record_id, workspace_id, code_refs }) =>
    [...new Set(code_refs.map(({ path }) => pathKey(path)))].map((path_key) => ({
      record_id,
      workspace_id,
      path_key,
    })),
  );
  await insertRows(sql, 'memory_code_places', rows);
}

/** Paths are too long for an index of PostgreSQL. */
export function pathKey(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 22);
}
