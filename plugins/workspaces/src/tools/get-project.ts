import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { Project, ProjectId } from '../schemas.js';
import { ProjectRepository } from '../services/project-repository.js';

export const getProject = defineTool({
  name: 'projects_get',
  title: 'Get a project',
  description: 'Returns a project by id, with its file count and index state.',
  input: Type.Object({ project_id: ProjectId }, closed),
  output: Project,
  effect: 'read',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id' },
  uses: { projects: ProjectRepository },
  handler: ({ project_id }, { projects }) => projects.get(project_id),
});
