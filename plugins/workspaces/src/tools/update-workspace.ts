import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Name, NewDescription, StoredWorkspace } from '../schemas.js';
import { Screening } from '../services/screening.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const updateWorkspace = defineTool({
  name: 'workspaces_update',
  title: 'Rename or describe a workspace',
  description:
    'Changes the name or the description of a workspace; omitted fields stay. An empty description clears it.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      name: Type.Optional(Name),
      description: NewDescription,
    },
    closed,
  ),
  output: StoredWorkspace,
  effect: 'update',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'workspace', id: 'workspace_id' } },
  http: { method: 'PATCH', path: '/v1/workspaces/:workspace_id' },
  uses: { workspaces: WorkspaceRepository, screening: Screening },
  handler: ({ workspace_id: _id, ...changes }, { workspaces, screening }) =>
    screening.store(changes, (kept) => workspaces.update(kept)),
});
