import { declaredPaths, type ToolInfo } from '@service-mcp/core';

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

/** Every path of a tool: those that it declares, the same under `/api` for a `/v1` path (contract.md 1), and those of `bareAt`. */
export function pathsOf(tool: HttpTool): Mounted[] {
  const { bareAt = [] } = tool.http;
  const declared = declaredPaths(tool.http);
  const mirrored = declared.filter((path) => path.startsWith('/v1/')).map((path) => `/api${path}`);
  const paths = new Set([...declared, ...mirrored, ...bareAt]);
  return [...paths].map((each) => ({ tool, path: each, bare: bareAt.includes(each) }));
}
