import { Database, WorkspaceData, contribute, workspaceRows } from '@service-mcp/core';
import { CONTENT_OF_FILE, type PackedContent } from './contents.js';
import { unpackText } from './packed-text.js';

/** Contents are up to 1 MiB each, unless the operator allows larger files. */
const MAX_FILES_PER_PAGE = 20;

export const workspaceData = workspaceRows([
  {
    table: 'projects',
    record: 'project',
    columns: ['id', 'name', 'description', 'repository_url', 'created_at', 'updated_at'],
  },
  {
    table: 'memberships',
    record: 'member',
    counted: 'members',
    columns: ['id', 'user_id', 'role', 'created_at'],
  },
  { table: 'pending_memberships' },
  { table: 'quota_counts' },
]);

const EXPORTED = 'id project_id path language modified_at commit_sha'
  .split(' ')
  .map((column) => `files.${column}`)
  .concat('file_contents.packed');

/** Files with their contents. The overview counts them by status. */
export const fileData = contribute(WorkspaceData, {
  uses: { database: Database },
  create: ({ database }): WorkspaceData => ({
    async erase(sql, workspace_id) {
      for (const table of ['file_work', 'files', 'file_moves', 'file_contents'])
        await sql(table).where({ workspace_id }).delete();
    },
    async export(workspaceId, after, limit) {
      const most = Math.min(limit, MAX_FILES_PER_PAGE);
      const rows = (await database
        .sql('files')
        .join('file_contents', CONTENT_OF_FILE)
        .where({ 'files.workspace_id': workspaceId, 'files.deleted': 0 })
        .where('files.id', '>', after ?? '')
        .orderBy('files.id')
        .limit(most)
        .select(EXPORTED)) as Array<PackedContent & { id: string }>;
      const next = rows.length === most ? rows.at(-1)?.id : undefined;
      const records = rows.map(({ packed, ...row }) => {
        return { record: 'file', ...row, content: unpackText(packed) };
      });
      return { records, next };
    },
  }),
});
