import type { Tool } from '@modelcontextprotocol/client';
import { SURFACES, type ToolInfo } from '@service-mcp/core';
import { effectOf } from '@service-mcp/core/wire';

/** Converts an entry of `tools/list`. Scopes, roles and surfaces are unrestricted here: the service enforces them. */
export function toolInfo(tool: Tool): ToolInfo {
  const { name, title = name, description = '', inputSchema, outputSchema, annotations } = tool;
  const effect = effectOf(annotations);
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema: outputSchema ?? { type: 'object' },
    // An idempotent write gives the hints of an update.
    effect: effect === 'write' && annotations?.idempotentHint ? 'update' : effect,
    openWorld: annotations?.openWorldHint ?? true,
    access: { scope: 'authenticated', in: 'deployment' },
    level: 'complete',
    plugin: 'upstream',
    toolset: 'upstream',
    surfaces: SURFACES,
  };
}
