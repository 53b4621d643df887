import { definePlugin } from '@service-mcp/core';
import { help } from './tools/help.js';

export default definePlugin({
  id: 'help',
  description: 'Tells what this deployment offers.',
  api: '^1',
  toolsets: [{ id: 'help', description: 'Find out what is there.', tools: [help] }],
});
