import { setTimeout as delay } from 'node:timers/promises';
import { definePlugin, type Plugin } from '@service-mcp/core';
import { probe, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import { graphStorage, ProjectGraphs, type ProjectGraph } from '@service-mcp/plugin-graph/internals';
import { isManifestName } from './name-resolver.js';

export interface StartOptions {
  readonly database?: TestDatabase;
  readonly config?: object;
  readonly workers?: boolean;
  readonly plugins?: readonly Plugin[];
  /** Default: {@link NAME_RESOLVER}. */
  readonly resolver?: Resolver;
}

type Resolver = Parameters<typeof graphStorage>[0];

/** The resolver of `name-resolver.ts`. */
export const NAME_RESOLVER: Resolver = {
  worker: new URL('name-resolver.js', import.meta.url),
  isManifest: isManifestName,
};

/** A service with the graph plugin and a resolver of the tests. */
export interface GraphService {
  readonly host: TestHost;
  createProject(): Promise<TestProject>;
  /** A project that another service over the same database created. */
  project(workspaceId: string, projectId: string): TestProject;
  stop(): Promise<void>;
}

export interface TestProject {
  readonly workspaceId: string;
  readonly projectId: string;
  ingest(files: Readonly<Record<string, string>>): Promise<void>;
  remove(...paths: string[]): Promise<void>;
  /** Until nothing is pending. */
  settled(): Promise<void>;
  graph(): Promise<ProjectGraph>;
  /** Files that wait for any consumer, and those that wait for the graph. */
  waiting(): Promise<{ readonly pending: number; readonly unread: number }>;
}

const INGEST_FILES = 500;

export async function startStore(options: StartOptions = {}): Promise<GraphService> {
  const { database, config = {}, workers = true, plugins = [], resolver = NAME_RESOLVER } = options;
  const { plugin, services } = probe({ graphs: ProjectGraphs });
  const graph = definePlugin({
    id: 'graph',
    description: 'The storage of code graphs.',
    api: '^1',
    requires: ['syntax', 'workspaces'],
    ...graphStorage(resolver),
  });
  const host = await testHost({
    plugins: [syntax, workspaces, graph, plugin, ...plugins],
    config: { graph: config },
    ...(database && { database }),
    workers,
    listen: false,
  });
  const project = (workspaceId: string, projectId: string): TestProject => ({
    workspaceId,
    projectId,
    async ingest(files) {
      const all = Object.entries(files).map(([path, content]) => ({ path, content }));
      for (let at = 0; at < all.length; at += INGEST_FILES)
        await host.use('files_ingest', { project_id: projectId, files: all.slice(at, at + INGEST_FILES) });
    },
    remove: async (...paths) => void (await host.use('files_delete', { project_id: projectId, paths })),
    async settled() {
      for (;;) {
        const { state } = await host.use<{ state: string }>('projects_index_status', {
          project_id: projectId,
        });
        if (state !== 'indexing') return;
        await delay(10);
      }
    },
    graph: async () => (await services().graphs.read(projectId, workspaceId)).graph,
    async waiting() {
      const { index } = await services().graphs.read(projectId, workspaceId);
      return { pending: index.pending, unread: index.unread };
    },
  });
  return {
    host,
    project,
    async createProject() {
      const { id } = await host.use<{ id: string }>('workspaces_create', { name: 'w' });
      const created = await host.use<{ id: string }>('projects_create', { workspace_id: id, name: 'p' });
      return project(id, created.id);
    },
    stop: () => host.stop(),
  };
}
