import { toolEntry } from '@service-mcp/core/wire';
import type { PlacedTool } from './deployment.js';

/** Where the snapshots of a plugin are, relative to the root. */
export function snapshotFolder({ home }: { readonly home: { readonly folder: string } }): string {
  return `${home.folder}/test/snapshots`;
}

export function snapshotPath(placed: PlacedTool): string {
  return `${snapshotFolder(placed)}/${placed.tool.name}.json`;
}

/** The client's view of a tool: a change here changes the public interface. */
export function snapshotOf({ tool, info }: PlacedTool): string {
  const { name, title, description, inputSchema, outputSchema, effect, access, level, http, surfaces } = tool;
  const shown = {
    name,
    title,
    description,
    toolset: info.toolset,
    level,
    effect,
    hints: toolEntry(info).annotations,
    access,
    ...(http && { http }),
    surfaces,
    ...(tool.aliases.length > 0 && { aliases: tool.aliases }),
    inputSchema,
    outputSchema,
  };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}
