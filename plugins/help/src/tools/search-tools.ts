import { Type } from 'typebox';
import { RegistryView, closed, defineTool } from '@service-mcp/core';
import { rankTools } from '../rank.js';
import { reaching } from '../reach.js';
import { EffectName } from '../schemas.js';

const LONGEST_LINE = 160;

export const searchTools = defineTool({
  name: 'tools_search',
  title: 'Find a tool',
  description:
    'Finds the tools for a task among all that you may use, best first. Then read the schemas with tools_describe, and call with tools_call_read or tools_call_write.',
  input: Type.Object(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'What you want to do, in a few words: read a file',
      }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Most tools to name' }),
    },
    closed,
  ),
  output: Type.Object(
    {
      tools: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            title: Type.String(),
            description: Type.String({ description: 'Its first sentence' }),
            effect: EffectName,
          },
          closed,
        ),
      ),
      total: Type.Integer({ description: 'How many tools match' }),
      hint: Type.Optional(Type.String({ description: 'What to do where nothing matches' })),
    },
    closed,
  ),
  effect: 'read',
  level: 'optional',
  access: { scope: 'authenticated', in: 'self' },
  surfaces: ['mcp', 'rpc', 'cli'],
  uses: { registry: RegistryView },
  handler({ query, limit }, { registry }, call) {
    const usable = registry.list(reaching(registry, call));
    const found = rankTools(query, usable);
    const tools = found.slice(0, limit).map(({ name, title, description, effect }) => ({
      name,
      title,
      description: firstSentence(description),
      effect,
    }));
    if (found.length > 0) return Promise.resolve({ tools, total: found.length });
    const domains = [...new Set(usable.map(({ toolset }) => toolset))].join(', ');
    const hint = `No tool speaks of this. Try other words; there are tools for ${domains}.`;
    return Promise.resolve({ tools, total: 0, hint });
  },
});

function firstSentence(text: string): string {
  const sentence = /^.*?[.:;](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.length <= LONGEST_LINE ? sentence : `${sentence.slice(0, LONGEST_LINE - 1).trimEnd()}…`;
}
