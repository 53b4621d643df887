import { Id, closed, defineTool, closedAs } from '@service-mcp/core';
import { Type } from 'typebox';
import { CHANGES } from '../services/resource-owners.js';
import { UndoableChanges } from '../services/undoable-changes.js';

export const undo = defineTool({
  name: 'memory_undo',
  title: 'Undo a change of memory',
  description:
    'Restores what memory_merge, memory_delete_many or memory_keep_apart changed, within thirty days. If the record that a merge kept was changed or deleted since, it stays as it is.',
  input: Type.Object({ change_id: Id('Change', CHANGES) }, closed),
  output: Type.Object(
    { change_id: Type.String(), restored: Type.Array(Type.String()), left: Type.Array(Type.String()) },
    closedAs('RestoredRecords'),
  ),
  effect: 'update',
  destructive: false,
  access: { scope: 'memory:write', in: { resource: 'change', id: 'change_id' } },
  http: { method: 'POST', path: '/v1/memory/undo' },
  text: ({ restored, left }) =>
    (restored.length === 0
      ? 'Nothing to restore: an earlier change did the same, or nothing of this one is left.'
      : `Restored ${restored.length}: ${restored.join(', ')}`) +
    left.map((id) => `\nLeft as it is, since it was changed or deleted after the merge: ${id}`).join(''),
  uses: { changes: UndoableChanges },
  handler: ({ change_id }, { changes }) => changes.undo(change_id),
});
