import type { FormerPlugins, RecordEvents, Sql, WorkspaceData } from '@service-mcp/core';
import { noteForFormerPlugins } from './late-erasures.js';

/** Deletes a workspace, which the caller has locked, with what every plugin has of it. `WORK_PENDING` is to be woken after it. */
export async function eraseWorkspace(
  sql: Sql,
  record: RecordEvents,
  id: string,
  { data, former }: { readonly data: readonly WorkspaceData[]; readonly former: FormerPlugins },
): Promise<void> {
  for (const part of data) await part.erase(sql, id);
  await noteForFormerPlugins(sql, former, { scope: 'workspace', id, workspace_id: id });
  await sql('workspaces').where({ id }).delete();
  record({ type: 'workspace.deleted', workspaceId: id, data: { workspace_id: id } });
}
