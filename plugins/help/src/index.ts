import { definePlugin } from '@service-mcp/core';
import { callRead } from './tools/call-read.js';
import { callWrite } from './tools/call-write.js';
import { describeTools } from './tools/describe-tools.js';
import { getDeployment } from './tools/get-deployment.js';
import { getUsage } from './tools/get-usage.js';
import { help } from './tools/help.js';
import { searchTools } from './tools/search-tools.js';

export default definePlugin({
  id: 'help',
  description: 'Describes what this deployment offers.',
  api: '^1',
  toolsets: [
    {
      id: 'help',
      description: 'Show the version, tools, toolsets and error codes.',
      instructions: 'Call help when unsure what is there.',
      tools: [help],
    },
    {
      id: 'deployment',
      description:
        'Show the plugins, toolsets, pages and events of the deployment, and how its tools are used.',
      tools: [getDeployment, getUsage],
    },
    {
      id: 'meta',
      prefix: 'tools',
      description:
        'Find, describe and call all other tools, for clients that cannot handle a long list. Must be requested by name.',
      instructions:
        'Find the tool for what you want with tools_search, read its schema with tools_describe, and call it with tools_call_read or tools_call_write.',
      callsOthers: true,
      tools: [searchTools, describeTools, callRead, callWrite],
    },
  ],
});
