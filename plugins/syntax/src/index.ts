import { definePlugin, provide } from '@service-mcp/core';
import { config } from './config.js';
import { Syntax } from './contract.js';
import { Parsers } from './services/parsers.js';

/** Parses source and documents into structure for other plugins. It has no tools and no database. */
export default definePlugin({
  id: 'syntax',
  description: 'Parses source code and documents into symbols and sections.',
  api: '^1',
  config,
  services: [
    provide(Syntax, {
      uses: { config: config.token },
      create: ({ config: settings }) => new Parsers(settings),
      close: (syntax) => (syntax as Parsers).close(),
    }),
  ],
});
