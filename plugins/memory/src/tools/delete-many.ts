import { closed, defineTool, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { RecordId } from '../schemas.js';
import { UndoableChanges } from '../services/undoable-changes.js';

export const deleteMany = defineTool({
  name: 'memory_delete_many',
  title: 'Delete memories',
  description:
    'Deletes events and nodes by their ids, all or none. memory_undo with the change_id restores them.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      ids: Type.Array(RecordId, {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Ids of events and nodes',
      }),
    },
    closed,
  ),
  output: Type.Object({ change_id: Type.String(), deleted: Type.Integer() }, closedAs('DeletedRecords')),
  effect: 'delete',
  access: { scope: 'memory:write', in: 'workspace' },
  http: { method: 'POST', path: '/v1/memory/delete' },
  text: ({ change_id, deleted }) => `Deleted ${deleted}. To restore: memory_undo with change_id ${change_id}`,
  uses: { changes: UndoableChanges },
  handler: ({ ids }, { changes }) => changes.remove(ids),
});
