import { Type } from 'typebox';
import { LocalCatalog, RegistryView, closed, defineTool } from '@service-mcp/core';
import { callInner } from '../inner-call.js';
import { AnyResult, Arguments, ToolName } from '../schemas.js';

export const callWrite = defineTool({
  name: 'tools_call_write',
  title: 'Call a tool that writes',
  description:
    'Calls a tool that creates, updates or deletes, by name; tools_search finds it and tools_describe gives its schema. What only reads is refused here: tools_call_read calls it.',
  input: Type.Object({ name: ToolName, arguments: Arguments }, closed),
  output: Type.Object({ result: AnyResult }, closed),
  effect: 'write',
  level: 'optional',
  access: { scope: 'authenticated', in: 'self' },
  surfaces: ['mcp', 'rpc', 'cli'],
  openWorld: true,
  rawText: ['arguments'],
  uses: { catalog: LocalCatalog, registry: RegistryView },
  handler: (input, deps, call) => callInner(input, deps, call, false),
});
