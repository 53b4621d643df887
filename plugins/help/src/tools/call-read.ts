import { defineTool } from '@service-mcp/core';
import { callInner } from '../inner-call.js';
import { callTool } from './call-tool.js';

export const callRead = defineTool({
  name: 'tools_call_read',
  title: 'Call a read-only tool',
  description:
    'Calls a read-only tool by name. Find it with tools_search, and get its schema with tools_describe. For tools that write, use tools_call_write.',
  effect: 'read',
  ...callTool,
  handler: (input, deps, call) => callInner(input, deps, call, true),
});
