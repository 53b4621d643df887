import { definePlugin } from '@service-mcp/core';
import { codeCandidates } from './services/code-candidates.js';
import { contextBuilder } from './services/context-builder.js';
import { memoryCandidates } from './services/memory-candidates.js';
import { tokenizers } from './services/tokenizers.js';
import { buildContext } from './tools/build-context.js';
import { buildEnhancedContext } from './tools/build-enhanced-context.js';

export default definePlugin({
  id: 'ai',
  description: 'Context for language models that fits their budget.',
  api: '^1',
  requires: ['memory', 'search', 'syntax', 'workspaces'],
  services: [tokenizers, codeCandidates, memoryCandidates, contextBuilder],
  toolsets: [
    {
      id: 'ai',
      description: 'Pack what a question needs into a budget of tokens.',
      tools: [buildContext, buildEnhancedContext],
    },
  ],
});
