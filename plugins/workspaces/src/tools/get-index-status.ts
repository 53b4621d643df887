import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { IndexStatuses } from '../contract.js';
import { ProjectId, ProjectIndexStatus } from '../schemas.js';

export const getIndexStatus = defineTool({
  name: 'projects_index_status',
  title: 'Index state of a project',
  description:
    'Tells whether a project is searchable: its state, and how many files are pending, indexed or failed.',
  input: Type.Object({ project_id: ProjectId }, closed),
  output: ProjectIndexStatus,
  effect: 'read',
  level: 'standard',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id/index/status' },
  uses: { statuses: IndexStatuses },
  async handler({ project_id }, { statuses }, { admission: { workspaceId } }) {
    const status = await statuses.read(workspaceId, project_id);
    return { ...status, waiting_for: await statuses.waitingFor(workspaceId, project_id) };
  },
});
