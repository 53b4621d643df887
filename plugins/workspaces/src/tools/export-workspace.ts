import { Type } from 'typebox';
import { closed, defineTool, nullable, closedAs } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { WorkspaceExport } from '../services/workspace-export.js';

export const exportWorkspace = defineTool({
  name: 'workspaces_export',
  title: 'Export a workspace',
  description:
    'Returns everything in a workspace, from every plugin, record by record: projects, members, files with their contents and more. Call again with the cursor in next until it is null.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      cursor: Type.Optional(Type.String({ maxLength: 500, description: 'The next of the page before' })),
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Records at most' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      records: Type.Array(
        Type.Object(
          { record: Type.String({ description: 'The kind of record: project, member, file and others' }) },
          { additionalProperties: true },
        ),
      ),
      next: nullable(Type.String({ description: 'The cursor of the next page; null after the last' })),
    },
    closedAs('WorkspaceExport'),
  ),
  effect: 'read',
  access: { scope: 'workspaces:read', role: 'admin', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id/export' },
  uses: { workspace: WorkspaceExport },
  handler: ({ workspace_id, cursor, limit }, { workspace }) => workspace.read(workspace_id, cursor, limit),
});
