import { Type } from 'typebox';
import { RegistryView, closed, defineTool } from '@service-mcp/core';
import { rankTools } from '../rank.js';
import { EffectName } from '../schemas.js';
import { metaTool } from '../meta-tool.js';

const MAX_LINE_LENGTH = 160;

export const searchTools = defineTool({
  name: 'tools_search',
  title: 'Find a tool',
  description:
    'Finds the tools for a task among all that you can use, best first. Then get their schemas with tools_describe, and call them with tools_call_read or tools_call_write.',
  input: Type.Object(
    {
      query: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'The task, in a few words: read a file',
      }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 8, description: 'Maximum number of tools' }),
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
            description: Type.String({ description: 'First sentence of the description' }),
            effect: EffectName,
          },
          closed,
        ),
      ),
      total: Type.Integer({ description: 'Number of matching tools' }),
      hint: Type.Optional(Type.String({ description: 'What to do when nothing matches' })),
    },
    closed,
  ),
  ...metaTool,
  effect: 'read',
  uses: { registry: RegistryView },
  handler({ query, limit }, { registry }, call) {
    const usable = registry.list(registry.reach(call));
    const found = rankTools(query, usable);
    const tools = found.slice(0, limit).map(({ name, title, description, effect }) => ({
      name,
      title,
      description: firstSentence(description),
      effect,
    }));
    if (found.length > 0) return Promise.resolve({ tools, total: found.length });
    const domains = [...new Set(usable.map(({ toolset }) => toolset))].join(', ');
    const hint = `No tool matches. Try other words; there are tools for ${domains}.`;
    return Promise.resolve({ tools, total: 0, hint });
  },
});

function firstSentence(text: string): string {
  const sentence = /^.*?[.:;](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.length <= MAX_LINE_LENGTH
    ? sentence
    : `${sentence.slice(0, MAX_LINE_LENGTH - 1).trimEnd()}…`;
}
