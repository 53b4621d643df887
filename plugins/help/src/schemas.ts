import { Type } from 'typebox';

export const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  examples: ['help'],
  description: 'Name of a tool, as returned by tools_search',
});

/** Arguments of any tool; the called tool validates them. */
export const Arguments = Type.Object(
  {},
  {
    additionalProperties: true,
    maxProperties: 100,
    default: {},
    description: 'Arguments of the tool; see its input_schema in tools_describe',
  },
);

export const EffectName = Type.Enum(['read', 'create', 'update', 'delete', 'write'], {
  description: 'Call read tools with tools_call_read, all others with tools_call_write',
});

/** Result of any tool; its output_schema describes it. */
export const AnyResult = Type.Object({}, { additionalProperties: true });
