import { Type } from 'typebox';
import { LocalCatalog, RegistryView, closed, defineTool } from '@service-mcp/core';
import { callInner } from '../inner-call.js';
import { AnyResult, Arguments, ToolName } from '../schemas.js';

export const callRead = defineTool({
  name: 'tools_call_read',
  title: 'Call a tool that reads',
  description:
    'Calls a tool that only reads, by name; tools_search finds it and tools_describe gives its schema. What writes is refused here: tools_call_write calls it.',
  input: Type.Object({ name: ToolName, arguments: Arguments }, closed),
  output: Type.Object({ result: AnyResult }, closed),
  effect: 'read',
  level: 'optional',
  access: { scope: 'authenticated', in: 'self' },
  surfaces: ['mcp', 'rpc', 'cli'],
  openWorld: true,
  rawText: ['arguments'],
  uses: { catalog: LocalCatalog, registry: RegistryView },
  handler: (input, deps, call) => callInner(input, deps, call, true),
});
