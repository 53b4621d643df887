import { defineResource } from '@service-mcp/core';
import { WorkspaceRepository } from '../services/workspace-repository.js';

const MOST = 100;
const MAX_DESCRIPTION_LENGTH = 300;
const changed = () => ({});

export const workspacesResource = defineResource({
  uriTemplate: 'service://workspaces',
  name: 'workspaces',
  title: 'Your workspaces',
  description: 'The workspaces that you may see, with ids and your role in each.',
  mimeType: 'application/json',
  access: { scope: 'workspaces:read', in: 'visible' },
  uses: { workspaces: WorkspaceRepository },
  changedBy: {
    'workspace.created': changed,
    'workspace.updated': changed,
    'workspace.deleted': changed,
    'member.added': changed,
    'member.updated': changed,
    'member.removed': changed,
  },
  async read(_variables, { workspaces }) {
    const { items, total, has_next } = await workspaces.list({ page: 1, per_page: MOST });
    const shown = {
      workspaces: items.map((workspace) => ({
        ...workspace,
        description: workspace.description.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
      })),
      total,
      ...(has_next && { more: `These are the first ${MOST}: workspaces_list gives the others.` }),
    };
    return [{ uri: 'service://workspaces', mimeType: 'application/json', text: JSON.stringify(shown) }];
  },
});
