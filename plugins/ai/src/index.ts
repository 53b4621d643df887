import { definePlugin, workspaceRows } from '@service-mcp/core';
import { aiConfig } from './config.js';
import { createSpend } from './migrations/001-create-spend.js';
import { chatModels } from './services/chat-model.js';
import { codeCandidates } from './services/code-candidates.js';
import { codeDecisions } from './services/code-decisions.js';
import { contextBuilder } from './services/context-builder.js';
import { fastContext } from './services/fast-context.js';
import { graphCandidates } from './services/graph-candidates.js';
import { modelPlanner } from './services/model-planner.js';
import { memoryCandidates } from './services/memory-candidates.js';
import { planEvidence } from './services/plan-evidence.js';
import { planGenerator } from './services/plan-generator.js';
import { planStore } from './services/plan-store.js';
import { retrievalPlanner } from './services/retrieval-planner.js';
import { orientations } from './services/orientation.js';
import { tokenSpend } from './services/token-spend.js';
import { tokenizers } from './services/tokenizers.js';
import { buildContext } from './tools/build-context.js';
import { buildEnhancedContext } from './tools/build-enhanced-context.js';
import { context } from './tools/context.js';
import { createEmbeddings } from './tools/create-embeddings.js';
import { generatePlan } from './tools/generate-plan.js';
import { init } from './tools/init.js';

export default definePlugin({
  id: 'ai',
  description: 'Context for language models that fits their budget.',
  api: '^1',
  requires: ['memory', 'search', 'syntax', 'workspaces'],
  config: aiConfig,
  migrations: [createSpend],
  services: [
    tokenizers,
    codeCandidates,
    codeDecisions,
    memoryCandidates,
    graphCandidates,
    contextBuilder,
    fastContext,
    planEvidence,
    retrievalPlanner,
    chatModels,
    tokenSpend,
    modelPlanner,
    workspaceRows([{ table: 'ai_spend' }]),
    planStore,
    planGenerator,
    orientations,
  ],
  toolsets: [
    {
      id: 'init',
      description: 'Begin a conversation: the ids to pass on, decisions, open tasks.',
      instructions: 'Begin each conversation with init: it names the ids to pass on.',
      tools: [init],
    },
    {
      id: 'context',
      description: 'What one question needs, in one call.',
      instructions: 'Call context with each question, before you search or read files.',
      tools: [context],
    },
    {
      id: 'ai',
      description: 'Pack what a question needs into a budget of tokens, and plan changes.',
      tools: [buildContext, buildEnhancedContext, createEmbeddings, generatePlan],
    },
  ],
});
