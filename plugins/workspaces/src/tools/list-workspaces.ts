import { Type } from 'typebox';
import { closed, defineTool, oneLine, pageText, paging } from '@service-mcp/core';
import { WorkspacePage } from '../schemas.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

export const listWorkspaces = defineTool({
  name: 'workspaces_list',
  title: 'List workspaces',
  description: 'Lists the workspaces that you may use, with the ids that other tools take as workspace_id.',
  input: Type.Object({ ...paging }, closed),
  output: WorkspacePage,
  effect: 'read',
  level: 'light',
  access: { scope: 'workspaces:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/workspaces', bareAt: ['/api/v1/workspaces'] },
  text: (output) =>
    pageText(output, ({ id, name, role, description }) =>
      [`${id} ${oneLine(name)}`, role, ...(description === '' ? [] : [oneLine(description)])].join('; '),
    ),
  uses: { workspaces: WorkspaceRepository },
  handler: (input, { workspaces }) => workspaces.list(input),
});
