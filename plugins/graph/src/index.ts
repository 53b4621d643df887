import { definePlugin } from '@service-mcp/core';
import { edgeOwner } from '@service-mcp/plugin-memory/contract';
import { relatedKnowledge } from './knowledge/related-knowledge.js';
import { linkKnowledge } from './tools/link-knowledge.js';
import { listLinks } from './tools/list-links.js';
import { relatedKnowledgeTool } from './tools/related-knowledge.js';
import { unlinkKnowledge } from './tools/unlink-knowledge.js';

export default definePlugin({
  id: 'graph',
  description: 'The code graph of a project, and the knowledge beside it.',
  api: '^1',
  requires: ['memory', 'search', 'syntax', 'workspaces'],
  services: [edgeOwner('graph_list_links'), relatedKnowledge],
  toolsets: [
    {
      id: 'graph',
      description: 'Ask what code depends on, what a change affects, and what is known about it.',
      tools: [relatedKnowledgeTool, listLinks, linkKnowledge, unlinkKnowledge],
    },
  ],
});
