import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { answerOf, limitsOf, contextText } from '../answer.js';
import { ContextAnswer, contextInput } from '../schemas.js';
import { ContextBuilder } from '../services/context-builder.js';

export const buildContext = defineTool({
  name: 'ai_context',
  title: 'Build context',
  description:
    'Packs the code and documents that a question needs into a budget of tokens: whole functions, without repeats, the best first.',
  input: Type.Object(contextInput, closed),
  output: ContextAnswer,
  effect: 'read',
  level: 'standard',
  access: { scope: 'ai:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/ai/context' },
  text: contextText,
  uses: { builder: ContextBuilder },
  async handler({ project_id, max_tokens, ...request }, { builder }, { signal, surface }) {
    const startedAt = performance.now();
    const limits = limitsOf(max_tokens, surface);
    const built = await builder.build(
      { ...request, ...limits, ...(project_id !== undefined && { project_id }) },
      signal,
    );
    return answerOf(built, limits.max_tokens, startedAt);
  },
});
