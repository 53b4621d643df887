import type { Tool } from '@modelcontextprotocol/client';
import { SURFACES, type Effect, type ToolInfo } from '@service-mcp/core';

/** Converts an entry of `tools/list`. Scopes, roles and surfaces are unrestricted here: the service enforces them. */
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

/** The effect for these hints; `update` and `delete` have the same hints. */
function effectOf(hints: Tool['annotations']): Effect {
  if (hints?.readOnlyHint) return 'read';
  if (hints?.destructiveHint === false) return 'create';
  return hints?.idempotentHint ? 'update' : 'write';
}
