import type { Tool } from '@modelcontextprotocol/client';
import { SURFACES, type Effect, type ToolInfo } from '@service-mcp/core';

/** A tool of the service as its entry of `tools/list` tells it. What only the service decides on is left open here. */
export function toolInfo(tool: Tool): ToolInfo {
  const { name, title = name, description = '', inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema: outputSchema ?? { type: 'object' },
    effect: effectOf(annotations),
    openWorld: annotations?.openWorldHint ?? true,
    access: { scope: 'authenticated', in: 'deployment' },
    level: 'complete',
    plugin: 'upstream',
    toolset: 'upstream',
    surfaces: SURFACES,
  };
}

/** The effect that gives these hints; `update` and `delete` give the same. */
function effectOf(hints: Tool['annotations']): Effect {
  if (hints?.readOnlyHint) return 'read';
  if (hints?.destructiveHint === false) return 'create';
  return hints?.idempotentHint ? 'update' : 'write';
}
