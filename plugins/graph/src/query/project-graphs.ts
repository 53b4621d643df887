import { token } from '@service-mcp/core';
import type { IndexStatuses } from '@service-mcp/plugin-workspaces/contract';
import type { ProjectGraph } from './project-graph.js';

/** State of the index of a project when its graph was read. */
export type GraphIndex = Awaited<ReturnType<IndexStatuses['glance']>> & {
  /** Files that the graph has not read as they are now. Others of `pending` wait for search alone. */
  readonly unread: number;
};

/** The graphs of projects, as last stored. */
export interface ProjectGraphs {
  /** A project that was never indexed has an empty graph; `index` says so. */
  read(
    projectId: string,
    workspaceId: string,
  ): Promise<{ readonly graph: ProjectGraph; readonly index: GraphIndex }>;
}
export const ProjectGraphs = token<ProjectGraphs>('graph.ProjectGraphs');
