import { TimeOrDay, closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { answerOf, limitsOf, contextText } from '../answer.js';
import { ContextAnswer, contextInput } from '../schemas.js';
import { ContextBuilder } from '../services/context-builder.js';

export const buildEnhancedContext = defineTool({
  name: 'ai_enhanced_context',
  title: 'Build context with memory',
  description:
    'As ai_context, with what the team knows about the question before the code: decisions, constraints, lessons and recent events.',
  input: Type.Object(
    {
      ...contextInput,
      include_memory: Type.Boolean({ default: true, description: 'Also memory' }),
      session_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The conversation whose newest events are added',
        }),
      ),
      as_of: Type.Optional(TimeOrDay('Memory as it was held true at this time', 'within')),
    },
    closed,
  ),
  output: ContextAnswer,
  effect: 'read',
  level: 'standard',
  access: { scope: 'ai:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/ai/context/enhanced' },
  text: contextText,
  uses: { builder: ContextBuilder },
  async handler(
    { project_id, max_tokens, include_memory, as_of, session_id, ...request },
    { builder },
    { signal, surface },
  ) {
    const startedAt = performance.now();
    const limits = limitsOf(max_tokens, surface);
    const built = await builder.build(
      {
        ...request,
        ...limits,
        ...(project_id !== undefined && { project_id }),
        ...(include_memory && {
          memory: {
            ...(session_id !== undefined && { session_id }),
            ...(as_of !== undefined && { as_of: new Date(as_of).toISOString() }),
          },
        }),
      },
      signal,
    );
    return answerOf(built, limits.max_tokens, startedAt);
  },
});
