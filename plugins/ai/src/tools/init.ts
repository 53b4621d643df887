import { RegistryView, closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { Orientation } from '../schemas.js';
import { orientationText } from '../orientation-text.js';
import { Orientations } from '../services/orientation.js';
import { guideFor } from '../tool-guide.js';

export const init = defineTool({
  name: 'init',
  title: 'Begin a conversation',
  description:
    'Call this first. Names the workspaces and projects that you may use with the ids to pass on, recent decisions, open tasks and what to call next.',
  input: Type.Object(
    {
      workspace_id: Type.Optional({ ...WorkspaceId, description: 'Only this workspace' }),
      repository: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'Repository URL or folder name of what you work on, to find its project',
        }),
      ),
    },
    closed,
  ),
  output: Orientation,
  effect: 'read',
  level: 'light',
  access: { scope: 'ai:read', in: 'visible' },
  http: { method: 'GET', path: '/v1/ai/init' },
  text: orientationText,
  uses: { orientations: Orientations, registry: RegistryView },
  async handler({ workspace_id, repository }, { orientations, registry }, call) {
    const orientation = await orientations.read({
      ...(workspace_id !== undefined && { workspace_id }),
      ...(repository !== undefined && { repository }),
    });
    const tools = new Set(registry.list(call).map(({ name }) => name));
    return { ...orientation, guide: guideFor(tools, orientation.workspaces.length > 0) };
  },
});
