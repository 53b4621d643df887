import { Type } from 'typebox';
import { WorkspaceId, closed, defineTool, paging } from '@service-mcp/core';
import { ProjectPage } from '../schemas.js';
import { ProjectRepository } from '../services/project-repository.js';

export const listProjects = defineTool({
  name: 'projects_list',
  title: 'List projects',
  description:
    'Lists projects with ids, file counts and index state: of one workspace, or of all that you may see.',
  input: Type.Object({ workspace_id: Type.Optional(WorkspaceId), ...paging }, closed),
  output: ProjectPage,
  effect: 'read',
  level: 'standard',
  access: { scope: 'workspaces:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/projects', bareAt: ['/api/v1/projects'] },
  uses: { projects: ProjectRepository },
  handler: (input, { projects }) => projects.list(input),
});
