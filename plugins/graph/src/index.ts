import { definePlugin } from '@service-mcp/core';
import { edgeOwner } from '@service-mcp/plugin-memory/contract';
import { relatedKnowledge } from './knowledge/related-knowledge.js';
import { codeFacts } from './query/code-facts.js';
import { codeNeighbours } from './query/neighbours.js';
import { RESOLVER } from './resolver.js';
import { graphStorage } from './storage.js';
import { linkKnowledge } from './tools/link-knowledge.js';
import { listLinks } from './tools/list-links.js';
import { queryTools } from './tools/query-tools.js';
import { relatedKnowledgeTool } from './tools/related-knowledge.js';
import { unlinkKnowledge } from './tools/unlink-knowledge.js';

const storage = graphStorage(RESOLVER);

export default definePlugin({
  ...storage,
  id: 'graph',
  description: 'The code graph of a project, and the knowledge beside it.',
  api: '^1',
  requires: ['memory', 'search', 'syntax', 'workspaces'],
  services: [...storage.services, edgeOwner('graph_list_links'), relatedKnowledge, codeNeighbours, codeFacts],
  toolsets: [
    {
      id: 'graph',
      description: 'Ask what code depends on, what a change affects, and what is known about it.',
      tools: [...queryTools, relatedKnowledgeTool, listLinks, linkKnowledge, unlinkKnowledge],
    },
  ],
});
