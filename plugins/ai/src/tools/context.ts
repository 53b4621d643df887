import { closed, defineTool } from '@service-mcp/core';
import { Type } from 'typebox';
import { answerOf, limitsOf, contextText } from '../answer.js';
import { ContextAnswer, MAX_TOKENS, contextInput } from '../schemas.js';
import { ContextBuilder } from '../services/context-builder.js';
import { FastContext } from '../services/fast-context.js';

/** Tokens where a call names none. */
const DEFAULTS = { fast: 1000, standard: 4000, pack: 16_000 } as const;
const { query, workspace_id, project_id } = contextInput;

export const context = defineTool({
  name: 'context',
  title: 'Context for this turn',
  description:
    'Call this with each question. fast: where to look, and recent decisions; standard: the code, documents and memory that it needs; pack: as much as fits.',
  input: Type.Object(
    {
      query,
      workspace_id,
      project_id,
      mode: Type.Enum(['fast', 'standard', 'pack'], { default: 'standard', description: 'How much' }),
      max_tokens: Type.Optional(
        Type.Integer({ ...MAX_TOKENS, description: 'Default: fast 1000, standard 4000, pack 16000' }),
      ),
    },
    closed,
  ),
  output: ContextAnswer,
  effect: 'read',
  level: 'light',
  access: { scope: 'ai:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/ai/context/turn' },
  text: contextText,
  uses: { builder: ContextBuilder, fast: FastContext },
  async handler({ mode, max_tokens, project_id: project, ...asked }, { builder, fast }, { signal, surface }) {
    const startedAt = performance.now();
    const limits = limitsOf(max_tokens ?? DEFAULTS[mode], surface);
    const request = { ...asked, ...limits, ...(project !== undefined && { project_id: project }) };
    if (mode === 'fast') return answerOf(await fast.build(request, signal), limits.max_tokens, startedAt);
    const built = await builder.build(
      {
        ...request,
        max_sections: 200,
        include: ['code', 'docs', 'graph'],
        include_tests: false,
        format: 'markdown',
        memory: {},
      },
      signal,
    );
    return answerOf(built, limits.max_tokens, startedAt);
  },
});
