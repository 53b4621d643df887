import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Workspace } from '../schemas.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const getWorkspace = defineTool({
  name: 'workspaces_get',
  title: 'Get a workspace',
  description: 'Returns a workspace by id, with your role in it.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: Workspace,
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id' },
  uses: { workspaces: WorkspaceRepository },
  handler: (_input, { workspaces }) => workspaces.get(),
});
