import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Name, NewDescription, ProjectId, RepositoryUrl, StoredProject } from '../schemas.js';
import { Screening } from '../services/screening.js';
import { ProjectRepository } from '../services/project-repository.js';

export const updateProject = defineTool({
  name: 'projects_update',
  title: 'Rename or describe a project',
  description:
    'Changes the name, description or repository address of a project; omitted fields stay. An empty description or address clears it.',
  input: Type.Object(
    {
      project_id: ProjectId,
      name: Type.Optional(Name),
      description: NewDescription,
      repository_url: Type.Optional(RepositoryUrl),
    },
    closed,
  ),
  output: StoredProject,
  effect: 'update',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'PATCH', path: '/v1/projects/:project_id' },
  uses: { projects: ProjectRepository, screening: Screening },
  handler: ({ project_id, ...changes }, { projects, screening }) =>
    screening.store(changes, (kept) => projects.update(project_id, kept)),
});
