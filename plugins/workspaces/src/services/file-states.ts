import type { Database } from '@service-mcp/core';
import type { FileState } from '../contract.js';
import { batchesOf } from './batches.js';
import type { FileRow } from './file-work.js';

const COLUMNS = ['id', 'project_id', 'path', 'language', 'sha256', 'modified_at', 'chunks'] as const;
type ValuesOf<Names extends ReadonlyArray<keyof FileRow>> = {
  readonly [At in keyof Names]: FileRow[Names[At]];
};
/** Ids in one statement: the embedded engine holds the thread for a few milliseconds meanwhile. */
const MAX_IDS = 1000;

const LIST = COLUMNS.join(', ');
/** All states as one JSON text: a search reads hundreds, and the driver takes four times as long to build a row of each. */
const AS_JSON = {
  sqlite: `select json_group_array(json_array(${LIST})) as states from files where deleted = 0 and`,
  postgresql: `select coalesce(json_agg(json_build_array(${LIST})), '[]')::text as states from files where deleted = 0 and`,
};
const OF_IDS = {
  sqlite: 'id in (select value from json_each(?))',
  postgresql: 'id = any(array(select json_array_elements_text(?::json)))',
};

/** The current states of files; deleted ones are absent. */
export function fileStates(database: Database) {
  const { engine } = database;
  const prepare = (name: string, condition: string) =>
    database.prepare<{ readonly states: string }>(name, `${AS_JSON[engine]} ${condition}`);
  const ofIds = prepare('file_states_of_ids', OF_IDS[engine]);
  const ofWorkspace = prepare('file_states_of_workspace', 'workspace_id = ?');
  return {
    async of(ids: readonly string[]): Promise<ReadonlyMap<string, FileState>> {
      const read: Array<ReturnType<typeof statesFrom>> = [];
      for (const batch of batchesOf(ids, MAX_IDS)) read.push(statesFrom(await ofIds(JSON.stringify(batch))));
      return new Map(read.flat());
    },
    async inWorkspace(workspaceId: string): Promise<ReadonlyMap<string, FileState>> {
      return new Map(statesFrom(await ofWorkspace(workspaceId)));
    },
  };
}

function statesFrom(row: { readonly states: string } | undefined): Array<[string, FileState]> {
  const rows = JSON.parse(row?.states ?? '[]') as Array<ValuesOf<typeof COLUMNS>>; // as the columns above are
  return rows.map(([id, projectId, path, language, sha256, updatedAt, chunks]) => [
    id,
    { projectId, path, language, sha256, updatedAt, chunks },
  ]);
}
