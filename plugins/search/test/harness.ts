import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Plugin } from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';
import search from '@service-mcp/plugin-search';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';

export interface Site {
  readonly host: TestHost;
  readonly workspaceId: string;
  readonly projectId: string;
  search(mode: string, args: object): Promise<SearchOutput>;
  ingest(files: Readonly<Record<string, string>>, options?: object): Promise<void>;
  /** Until nothing is pending. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'search-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Settings for tests that search alone: nothing trains, and no index is compacted beside them. */
export const AT_REST = { training: false, optimize_after_ms: 3_600_000 } as const;

/** A running service with one workspace and one project, over real storage. */
export async function site(
  options: {
    config?: object;
    database?: TestDatabase;
    workers?: boolean;
    uri?: string;
    listen?: boolean;
    plugins?: readonly Plugin[];
  } = {},
): Promise<Site> {
  const host = await testHost({
    plugins: [syntax, workspaces, search, ...(options.plugins ?? [])],
    config: {
      search: { optimize_after_ms: 500, ...(options.uri && { uri: options.uri }), ...options.config },
    },
    ...(options.database && { database: options.database }),
    workers: options.workers ?? true,
    listen: options.listen ?? false,
  });
  return newSite(host);
}

/** A workspace with a project of its own in a host that runs. */
export async function newSite(host: TestHost): Promise<Site> {
  const { id: workspaceId } = await host.use<{ id: string }>('workspaces_create', { name: 'w' });
  const { id: projectId } = await host.use<{ id: string }>('projects_create', {
    workspace_id: workspaceId,
    name: 'p',
  });
  return attach(host, workspaceId, projectId);
}

export function attach(host: TestHost, workspaceId: string, projectId: string): Site {
  const status = () => host.use('projects_index_status', { project_id: projectId }) as Promise<unknown>;
  return {
    host,
    workspaceId,
    projectId,
    async search(mode, args) {
      return host.use<SearchOutput>(`search_${mode}`, {
        workspace_id: workspaceId,
        ...args,
      });
    },
    async ingest(files, more = {}) {
      const entries = Object.entries(files).map(([path, content]) => ({ path, content }));
      for (let at = 0; at < entries.length; at += 500) {
        await host.use('files_ingest', {
          project_id: projectId,
          files: entries.slice(at, at + 500),
          ...more,
        });
      }
    },
    async settled() {
      for (;;) {
        const { pending, state } = (await status()) as { pending: number; state: string };
        if (pending === 0 && state !== 'indexing') return;
        await delay(30);
      }
    },
    stop: () => host.stop(),
  };
}
