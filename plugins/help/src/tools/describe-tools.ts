import { Type } from 'typebox';
import { RegistryView, closed, defineTool } from '@service-mcp/core';
import { AnyResult, EffectName, ToolName } from '../schemas.js';
import { metaTool } from '../meta-tool.js';

export const describeTools = defineTool({
  name: 'tools_describe',
  title: 'Describe tools',
  description:
    'Returns title, description, effect, input schema and output schema of tools by name. Read them before the first call of a tool.',
  input: Type.Object(
    {
      names: Type.Array(ToolName, { minItems: 1, maxItems: 10, description: 'Names of tools, 1 to 10' }),
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
            description: Type.String(),
            effect: EffectName,
            call_with: Type.Enum(['tools_call_read', 'tools_call_write']),
            input_schema: AnyResult,
            output_schema: AnyResult,
          },
          closed,
        ),
      ),
      unknown: Type.Array(Type.String(), {
        description: 'Names of tools that do not exist or that you cannot use',
      }),
    },
    closed,
  ),
  ...metaTool,
  effect: 'read',
  uses: { registry: RegistryView },
  handler({ names }, { registry }, call) {
    const usable = new Map(registry.list(registry.reach(call)).map((info) => [info.name, info]));
    const requested = [...new Set(names)];
    const tools = requested.flatMap((name) => {
      const info = usable.get(name);
      if (!info) return [];
      const { title, description, effect, inputSchema, outputSchema } = info;
      const call_with = effect === 'read' ? ('tools_call_read' as const) : ('tools_call_write' as const);
      return [
        {
          name,
          title,
          description,
          effect,
          call_with,
          input_schema: inputSchema,
          output_schema: outputSchema,
        },
      ];
    });
    return Promise.resolve({ tools, unknown: requested.filter((name) => !usable.has(name)) });
  },
});
