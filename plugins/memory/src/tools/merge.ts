import { closed, defineTool, closedAs } from '@service-mcp/core';
import { Type } from 'typebox';
import { RecordId } from '../schemas.js';
import { UndoableChanges } from '../services/undoable-changes.js';

export const merge = defineTool({
  name: 'memory_merge',
  title: 'Merge memories',
  description:
    'Merges duplicate records: one stays and gains the tags, references and fields of the others, which are deleted. memory_undo with the change_id restores them.',
  input: Type.Object(
    {
      ids: Type.Array(RecordId, {
        minItems: 2,
        maxItems: 20,
        uniqueItems: true,
        description: 'Ids of events, or of nodes',
      }),
      keep: { ...RecordId, description: 'The one of them that stays' },
    },
    closed,
  ),
  output: Type.Object(
    { change_id: Type.String(), kept: Type.String(), merged: Type.Array(Type.String()) },
    closedAs('MergedRecords'),
  ),
  effect: 'delete',
  access: { scope: 'memory:write', in: { resource: 'memory', id: 'keep' } },
  http: { method: 'POST', path: '/v1/memory/merge' },
  text: ({ change_id, kept, merged }) =>
    `Merged ${merged.length} into ${kept}. To restore: memory_undo with change_id ${change_id}`,
  uses: { changes: UndoableChanges },
  handler: ({ ids, keep }, { changes }) => changes.merge(ids, keep),
});
