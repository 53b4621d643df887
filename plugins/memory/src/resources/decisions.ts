import { defineResource, oneLine, type ChangeEvent } from '@service-mcp/core';
import { Decisions } from '../services/decisions.js';

const MAX_DECISIONS = 100;
const uriOf = (workspaceId: string) => `service://workspaces/${workspaceId}/decisions`;
const changed = ({ workspaceId }: ChangeEvent) => ({ workspace_id: String(workspaceId) });

export const decisionsResource = defineResource({
  uriTemplate: 'service://workspaces/{workspace_id}/decisions',
  name: 'decisions',
  title: 'Decisions of a workspace',
  description: 'The decisions in force, newest first, with their reasons, as Markdown.',
  mimeType: 'text/markdown',
  access: { scope: 'memory:read', in: { resource: 'workspace', id: 'workspace_id' } },
  uses: { decisions: Decisions },
  changedBy: {
    'memory.node.created': changed,
    'memory.node.updated': changed,
    'memory.node.superseded': changed,
    'memory.node.deleted': changed,
    'memory.node.restored': changed,
    'memory.event.created': changed,
    'memory.event.updated': changed,
    'memory.event.deleted': changed,
    'memory.event.restored': changed,
    'memory.imported': changed,
  },
  async read({ workspace_id }, { decisions }) {
    const all = {
      project_id: undefined,
      status: 'active',
      as_of: undefined,
      since: undefined,
      until: undefined,
    } as const;
    const { items, total } = await decisions.list({ ...all, page: 1, per_page: MAX_DECISIONS });
    const lines = items.map(({ title, summary, rationale, decided_at, id }) => {
      const why = rationale === '' || rationale === summary ? '' : `\n\nWhy: ${rationale}`;
      return `## ${oneLine(title)}\n\n${decided_at.slice(0, 10)}, id ${id}\n\n${summary}${why}`;
    });
    const more = total > items.length ? [`${total - items.length} older ones: memory_decisions.`] : [];
    const text = [`# Decisions`, ...lines, ...more].join('\n\n');
    return [{ uri: uriOf(workspace_id), mimeType: 'text/markdown', text: `${text}\n` }];
  },
});
