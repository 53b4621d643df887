import { definePlugin } from '@service-mcp/core';
import { META } from './reach.js';
import { callRead } from './tools/call-read.js';
import { callWrite } from './tools/call-write.js';
import { describeTools } from './tools/describe-tools.js';
import { help } from './tools/help.js';
import { searchTools } from './tools/search-tools.js';

export default definePlugin({
  id: 'help',
  description: 'Tells what this deployment offers.',
  api: '^1',
  toolsets: [
    { id: 'help', description: 'Find out what is there.', tools: [help] },
    {
      id: META,
      description:
        'Find, describe and call every other tool, for clients that cannot take a long list. Only for who asks for it by name.',
      tools: [searchTools, describeTools, callRead, callWrite],
    },
  ],
});
