import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Overview } from '../schemas.js';
import { Overviews } from '../services/overview.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const getOverview = defineTool({
  name: 'workspaces_overview',
  title: 'Summarise a workspace',
  description:
    'Counts the contents of a workspace, and shows how far it is indexed, its languages and its latest events.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: Overview,
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id/overview' },
  uses: { workspaces: WorkspaceRepository, overviews: Overviews },
  async handler({ workspace_id }, { workspaces, overviews }) {
    return { workspace: await workspaces.get(), ...(await overviews.read(workspace_id)) };
  },
});
