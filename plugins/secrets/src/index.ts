import { definePlugin, provide } from '@service-mcp/core';
import { config } from './config.js';
import { Secrets } from './contract.js';
import { openSecrets } from './services/secrets.js';

/** Finds secrets in texts for other plugins. It has no tools and no database. */
export default definePlugin({
  id: 'secrets',
  description: 'Finds keys, tokens, private keys and passwords in texts, and redacts or refuses them.',
  api: '^1',
  config,
  services: [
    provide(Secrets, {
      uses: { config: config.token },
      create: ({ config: settings }) => openSecrets(settings),
    }),
  ],
});
