import { definePlugin } from '@service-mcp/core';
import { askingTools } from './asking.js';
import { contentTools } from './content.js';
import { messageTools } from './messages.js';
import { prompts } from './prompts.js';
import { resources } from './resources.js';
import { roundTools } from './rounds.js';
import { schemaTool } from './schema.js';

/** The tools, resources and prompts that the conformance suite of MCP calls by name. */
export const conformance = definePlugin({
  id: 'conformance',
  description: 'What the conformance suite of MCP calls by name.',
  api: '^1',
  resources,
  prompts,
  toolsets: [
    {
      id: 'conformance',
      prefix: 'test',
      description: 'The tools of the suite.',
      tools: [...contentTools, ...messageTools, ...askingTools, ...roundTools],
    },
    { id: 'json', description: 'The tool of the suite about schemas.', tools: [schemaTool] },
  ],
});
