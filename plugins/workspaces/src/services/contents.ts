import type { Sql } from '@service-mcp/core';
import { batchesOf, IDS_PER_STATEMENT } from './batches.js';

/** Joins `file_contents` to `files`. */
export const CONTENT_OF_FILE = {
  'file_contents.workspace_id': 'files.workspace_id',
  'file_contents.sha256': 'files.sha256',
};

/** A row of `file_contents`, as far as it is read. */
export interface PackedContent {
  /** As libsql and pg give it; `unpackText` reads both. */
  readonly packed: Buffer | ArrayBuffer;
}

/** Deletes contents of a workspace that no file uses, among `hashes` or all. */
export async function pruneContents(
  sql: Sql,
  workspaceId: string,
  hashes?: readonly string[],
): Promise<void> {
  if (!hashes) return void (await unusedOf(sql, workspaceId).delete());
  for (const batch of batchesOf([...new Set(hashes)], IDS_PER_STATEMENT))
    await unusedOf(sql, workspaceId).whereIn('sha256', batch).delete();
}

function unusedOf(sql: Sql, workspaceId: string) {
  return sql('file_contents')
    .where('workspace_id', workspaceId)
    .whereNotExists((used) =>
      used
        .select(sql.raw('1'))
        .from('files')
        .whereRaw('files.workspace_id = file_contents.workspace_id')
        .whereRaw('files.sha256 = file_contents.sha256')
        .where('files.deleted', 0),
    );
}
