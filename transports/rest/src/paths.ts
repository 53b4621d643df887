import type { ToolInfo } from '@service-mcp/core';

export type HttpTool = ToolInfo & { readonly http: NonNullable<ToolInfo['http']> };

/** One path under which a tool answers. */
export interface Mounted {
  readonly tool: HttpTool;
  readonly path: string;
  /** True where a success is the bare page (interface.md 2). */
  readonly bare: boolean;
}

/** The tools that have a REST route. */
export function restTools(tools: readonly ToolInfo[]): HttpTool[] {
  return tools.filter((tool): tool is HttpTool => tool.http !== undefined && tool.surfaces.includes('rest'));
}

/** Every path of a tool: its own, the same under `/api` for a `/v1` path (contract.md 1), and those of `bareAt`. */
export function pathsOf(tool: HttpTool): Mounted[] {
  const { path, bareAt = [] } = tool.http;
  const paths = new Set([path, ...(path.startsWith('/v1/') ? [`/api${path}`] : []), ...bareAt]);
  return [...paths].map((each) => ({ tool, path: each, bare: bareAt.includes(each) }));
}
