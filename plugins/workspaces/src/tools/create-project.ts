import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Description, Name, RepositoryUrl, StoredProject } from '../schemas.js';
import { Screening } from '../services/screening.js';
import { ProjectRepository } from '../services/project-repository.js';

export const createProject = defineTool({
  name: 'projects_create',
  title: 'Create a project',
  description:
    'Creates a project in a workspace: a tree of files that is indexed and searched. Names are unique in a workspace.',
  input: Type.Object(
    {
      workspace_id: WorkspaceId,
      name: Name,
      description: Description,
      repository_url: Type.Optional(RepositoryUrl),
    },
    closed,
  ),
  output: StoredProject,
  effect: 'create',
  access: { scope: 'workspaces:write', role: 'admin', in: 'workspace' },
  http: { method: 'POST', path: '/v1/projects' },
  uses: { projects: ProjectRepository, screening: Screening },
  handler: ({ workspace_id: _id, ...project }, { projects, screening }) =>
    screening.store(project, (kept) => projects.create(kept)),
});
