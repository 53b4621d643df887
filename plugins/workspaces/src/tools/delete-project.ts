import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Deleted, ProjectId } from '../schemas.js';
import { ProjectRepository } from '../services/project-repository.js';

export const deleteProject = defineTool({
  name: 'projects_delete',
  title: 'Delete a project',
  description: 'Deletes a project with its files, chunks and vectors. It cannot be undone.',
  input: Type.Object({ project_id: ProjectId }, closed),
  output: Deleted,
  effect: 'delete',
  access: { scope: 'workspaces:write', role: 'admin', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'DELETE', path: '/v1/projects/:project_id' },
  uses: { projects: ProjectRepository },
  async handler({ project_id }, { projects }) {
    await projects.delete(project_id);
    return { id: project_id, deleted: true as const };
  },
});
