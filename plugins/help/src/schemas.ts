import { Type } from 'typebox';

export const ToolName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  examples: ['help'],
  description: 'Name of a tool, as tools_search gives it',
});

/** What a tool of any input takes; the tool itself checks it. */
export const Arguments = Type.Object(
  {},
  {
    additionalProperties: true,
    maxProperties: 100,
    default: {},
    description: 'Its arguments, as its input_schema in tools_describe says',
  },
);

export const EffectName = Type.Enum(['read', 'create', 'update', 'delete', 'write'], {
  description: 'read is called with tools_call_read, all else with tools_call_write',
});

/** What a tool of any output gives: its own output_schema says what. */
export const AnyResult = Type.Object({}, { additionalProperties: true });
