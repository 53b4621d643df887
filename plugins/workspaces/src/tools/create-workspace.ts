import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Description, Name, StoredWorkspace } from '../schemas.js';
import { Screening } from '../services/screening.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const createWorkspace = defineTool({
  name: 'workspaces_create',
  title: 'Create a workspace',
  description:
    'Creates a workspace: a place for projects and memory that its members share. You become its owner.',
  input: Type.Object({ name: Name, description: Description }, closed),
  output: StoredWorkspace,
  effect: 'create',
  access: { scope: 'workspaces:write', in: 'deployment' },
  http: { method: 'POST', path: '/v1/workspaces' },
  uses: { workspaces: WorkspaceRepository, screening: Screening },
  handler: (input, { workspaces, screening }) => screening.store(input, (kept) => workspaces.create(kept)),
});
