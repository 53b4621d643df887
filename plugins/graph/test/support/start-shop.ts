import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import type { TestDatabase, TestHost } from '@service-mcp/core/testing';
import type { FileGraph } from '@service-mcp/plugin-graph/internals';
import { shopFiles } from './shop-files.js';
import { startTools } from './start-tools.js';

export const ORDER = 'src/service/order.ts#findOrder';
export const GET = 'src/store/store.ts#MemoryStore.get';

/** A host with a project over `shopFiles`. Arguments without a project_id mean that one. */
export interface Shop {
  readonly host: TestHost;
  readonly workspace_id: string;
  readonly project_id: string;
  /** Adds a project over these files; its id. */
  newProject(files: readonly FileGraph[]): Promise<string>;
  ask<T>(tool: string, args?: object): Promise<T>;
  /** The answer as a model reads it. */
  textOf(tool: string, args?: object): Promise<string>;
}

export async function startShop(database: TestDatabase): Promise<Shop> {
  const graphs = new Map<string, readonly FileGraph[]>();
  const host = await startTools(database, graphs);
  const { id: workspace_id } = await host.use<{ id: string }>('workspaces_create', { name: 'Shop' });
  async function newProject(files: readonly FileGraph[]): Promise<string> {
    const name = crypto.randomUUID();
    const { id } = await host.use<{ id: string }>('projects_create', { workspace_id, name });
    graphs.set(id, files);
    return id;
  }
  const { graphs: files, texts } = shopFiles();
  const project_id = await newProject(files);
  await host.use('files_ingest', { project_id, files: texts });
  return {
    host,
    workspace_id,
    project_id,
    newProject,
    ask: <T>(tool: string, args: object = {}) => host.use<T>(tool, { project_id, ...args }),
    async textOf(tool, args = {}) {
      const result = await host.catalog.call(tool, { project_id, ...args }, host.call());
      const [block] = completeResult(result).content;
      assert.ok(block?.type === 'text');
      return block.text;
    },
  };
}
