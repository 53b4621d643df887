import { Type } from 'typebox';
import { Timestamp, closed, defineTool, nullable } from '@service-mcp/core';
import { IndexStatuses } from '../contract.js';
import { ProjectId, State } from '../schemas.js';

export const getIndexStatus = defineTool({
  name: 'projects_index_status',
  title: 'Index state of a project',
  description:
    'Tells whether a project is searchable: its state, and how many files are pending, indexed or failed.',
  input: Type.Object({ project_id: ProjectId }, closed),
  output: Type.Object(
    {
      state: State,
      pending: Type.Integer(),
      indexed: Type.Integer(),
      failed: Type.Integer(),
      indexed_at: nullable(Timestamp),
      generation: Type.Integer(),
    },
    closed,
  ),
  effect: 'read',
  level: 'standard',
  access: { scope: 'workspaces:read', in: { resource: 'project', id: 'project_id' } },
  http: { method: 'GET', path: '/v1/projects/:project_id/index/status' },
  uses: { statuses: IndexStatuses },
  async handler({ project_id }, { statuses }, call) {
    const { indexedAt, ...status } = await statuses.read(call.admission.workspaceId, project_id);
    return { ...status, indexed_at: indexedAt };
  },
});
