import { definePlugin } from '@service-mcp/core';

export default definePlugin({
  id: 'auth',
  description: 'Accounts, API keys, sessions and OAuth: who calls, and with which credential.',
  api: '^1',
});
