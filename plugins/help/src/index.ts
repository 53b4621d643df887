import { definePlugin } from '@service-mcp/core';
import { META } from './reach.js';
import { callRead } from './tools/call-read.js';
import { callWrite } from './tools/call-write.js';
import { describeTools } from './tools/describe-tools.js';
import { help } from './tools/help.js';
import { searchTools } from './tools/search-tools.js';

export default definePlugin({
  id: 'help',
  description: 'Describes what this deployment offers.',
  api: '^1',
  toolsets: [
    { id: 'help', description: 'Show the version, tools, toolsets and error codes.', tools: [help] },
    {
      id: META,
      prefix: 'tools',
      description:
        'Find, describe and call all other tools, for clients that cannot handle a long list. Must be requested by name.',
      tools: [searchTools, describeTools, callRead, callWrite],
    },
  ],
});
