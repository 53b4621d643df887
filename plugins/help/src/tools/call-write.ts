import { defineTool } from '@service-mcp/core';
import { callInner } from '../inner-call.js';
import { callTool } from './call-tool.js';

export const callWrite = defineTool({
  name: 'tools_call_write',
  title: 'Call a tool that writes',
  description:
    'Calls a tool that creates, updates or deletes, by name. Find it with tools_search, and get its schema with tools_describe. For read-only tools, use tools_call_read.',
  effect: 'write',
  ...callTool,
  handler: (input, deps, call) => callInner(input, deps, call, false),
});
