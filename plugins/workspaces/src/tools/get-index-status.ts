import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { IndexStatuses } from '../contract.js';
import { ProjectId, ProjectIndexStatus } from '../schemas.js';

export const getIndexStatus = defineTool({
  name: 'projects_index_status',
  title: 'Index state of a project',
  description: 'Shows whether a project is searchable, and counts pending, indexed and failed files.',
  input: Type.Object(
    {
      project_id: ProjectId,
      by_step: Type.Optional(Type.Boolean({ description: 'Adds waiting_for' })),
    },
    closed,
  ),
  output: ProjectIndexStatus,
  effect: 'read',
  level: 'standard',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id/index/status' },
  uses: { statuses: IndexStatuses },
  async handler({ project_id, by_step: byStep }, { statuses }, { admission: { workspaceId } }) {
    const status = await statuses.read(workspaceId, project_id);
    return byStep ? { ...status, waiting_for: await statuses.waitingFor(workspaceId, project_id) } : status;
  },
});
