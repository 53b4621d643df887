import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Deleted } from '../schemas.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const deleteWorkspace = defineTool({
  name: 'workspaces_delete',
  title: 'Delete a workspace',
  description: 'Deletes a workspace with everything in it, memory too. It cannot be undone.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: Deleted,
  effect: 'delete',
  access: { scope: 'workspaces:write', role: 'owner', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'DELETE', path: '/v1/workspaces/:workspace_id' },
  uses: { workspaces: WorkspaceRepository },
  handler: async (_input, { workspaces }) => ({ id: await workspaces.delete(), deleted: true as const }),
});
