import { setTimeout as delay } from 'node:timers/promises';
import type { TestHost } from '@service-mcp/core/testing';
import ai from '@service-mcp/plugin-ai';
import graph from '@service-mcp/plugin-graph';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

/** The plugin and what it uses. */
export const PLUGINS = [workspaces, syntax, search, secrets, memory, graph, ai];

/** Settings for hosts whose index trains nothing and compacts nothing beside a test. */
export const AT_REST = { search: { training: false, optimize_after_ms: 3_600_000 } };

export interface Node {
  readonly node_type: string;
  readonly title: string;
  readonly content: string;
  readonly valid_from?: string;
  readonly valid_to?: string;
  readonly code_refs?: ReadonlyArray<{ readonly path: string; readonly symbol?: string }>;
}

export interface FilledWorkspace {
  readonly workspace_id: string;
  readonly project_id: string;
  /** Ids of the nodes, in their order. */
  readonly nodes: readonly string[];
}

/** A workspace with one project of these files, and these nodes, all indexed. Those with references are of the project. */
export async function fillWorkspace(
  host: TestHost,
  files: readonly { readonly path: string; readonly content: string }[],
  nodes: readonly Node[] = [],
): Promise<FilledWorkspace> {
  const made = async (tool: string, args: object) => (await host.use<{ id: string }>(tool, args)).id;
  const workspace_id = await made('workspaces_create', { name: 'Team' });
  const project_id = await made('projects_create', { workspace_id, name: 'P' });
  await host.use('files_ingest', { project_id, files });
  const ids: string[] = [];
  for (const node of nodes)
    ids.push(
      await made('memory_create_node', { workspace_id, ...(node.code_refs && { project_id }), ...node }),
    );
  const isPending = async () => {
    const { state } = await host.use<{ state: string }>('projects_index_status', { project_id });
    const waiting = { workspace_id, indexing_status: 'pending' };
    return state !== 'ready' || (await host.use<{ total: number }>('memory_list_nodes', waiting)).total > 0;
  };
  while (await isPending()) await delay(50);
  return { workspace_id, project_id, nodes: ids };
}

/** Waits until the index has all memory of a workspace. */
export async function untilIndexed(host: TestHost, workspace_id: string): Promise<void> {
  const waiting = { workspace_id, indexing_status: 'pending', per_page: 1 };
  const pending = async (tool: string) => (await host.use<{ total: number }>(tool, waiting)).total;
  while ((await pending('memory_list_events')) + (await pending('memory_list_nodes')) > 0) await delay(50);
}
