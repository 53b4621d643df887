import { Type } from 'typebox';
import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '../contract.js';
import { Workspace } from '../schemas.js';
import { Overview } from '../services/overview.js';
import { WorkspaceRepository } from '../services/workspace-repository.js';

const Count = Type.Integer();
const Anything = Type.Object({}, { additionalProperties: true });

export const getOverview = defineTool({
  name: 'workspaces_overview',
  title: 'Summarise a workspace',
  description:
    'Counts what a workspace holds, tells how far it is indexed, its languages and its latest events.',
  input: Type.Object({ workspace_id: WorkspaceId }, closed),
  output: Type.Object(
    {
      workspace: Workspace,
      counts: Type.Object(
        { projects: Count, files: Count, chunks: Count, events: Count, nodes: Count, members: Count },
        { additionalProperties: Count, description: 'And what other plugins keep, by name' },
      ),
      indexing: Type.Object({ pending: Count, indexed: Count, failed: Count }, closed),
      languages: Type.Array(Type.Object({ language: Type.String(), files: Count, bytes: Count }, closed)),
      recent_events: Type.Array(Anything),
      recent_decisions: Type.Array(Anything),
    },
    closed,
  ),
  effect: 'read',
  access: { scope: 'workspaces:read', in: 'workspace' },
  http: { method: 'GET', path: '/v1/workspaces/:workspace_id/overview' },
  uses: { workspaces: WorkspaceRepository, overview: Overview },
  async handler({ workspace_id }, { workspaces, overview }) {
    return { workspace: await workspaces.get(), ...(await overview.read(workspace_id)) };
  },
});
