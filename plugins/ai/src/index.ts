import { definePlugin } from '@service-mcp/core';
import { codeCandidates } from './services/code-candidates.js';
import { contextBuilder } from './services/context-builder.js';
import { fastContext } from './services/fast-context.js';
import { graphCandidates } from './services/graph-candidates.js';
import { memoryCandidates } from './services/memory-candidates.js';
import { orientations } from './services/orientation.js';
import { tokenizers } from './services/tokenizers.js';
import { buildContext } from './tools/build-context.js';
import { buildEnhancedContext } from './tools/build-enhanced-context.js';
import { context } from './tools/context.js';
import { init } from './tools/init.js';

export default definePlugin({
  id: 'ai',
  description: 'Context for language models that fits their budget.',
  api: '^1',
  requires: ['memory', 'search', 'syntax', 'workspaces'],
  services: [
    tokenizers,
    codeCandidates,
    memoryCandidates,
    graphCandidates,
    contextBuilder,
    fastContext,
    orientations,
  ],
  toolsets: [
    {
      id: 'init',
      description: 'Begin a conversation: the ids to pass on, decisions, open tasks.',
      instructions: 'Call init first: it names the ids to pass on.',
      tools: [init],
    },
    {
      id: 'context',
      description: 'What one question needs, in one call.',
      instructions: 'Call context with each question.',
      tools: [context],
    },
    {
      id: 'ai',
      description: 'Pack what a question needs into a budget of tokens.',
      tools: [buildContext, buildEnhancedContext],
    },
  ],
});
