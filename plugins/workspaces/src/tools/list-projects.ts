import { Type } from 'typebox';
import { closed, defineTool, oneLine, pageText, paging } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
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
  text: (output, { workspace_id: asked }) =>
    pageText(output, ({ id, name, workspace_id, file_count, indexing_status, repository_url, description }) =>
      [
        `${id} ${oneLine(name)}`,
        ...(asked === undefined ? [`workspace_id ${workspace_id}`] : []),
        `${file_count} files, ${indexing_status}`,
        ...[repository_url, description].flatMap((text) => oneLine(text ?? '') || []),
      ].join('; '),
    ),
  uses: { projects: ProjectRepository },
  handler: (input, { projects }) => projects.list(input),
});
