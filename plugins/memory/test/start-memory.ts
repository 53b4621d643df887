import type { Plugin, Worker } from '@service-mcp/core';
import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

interface MemoryOptions {
  readonly workers?: boolean;
  readonly plugins?: readonly Plugin[];
  readonly config?: { readonly [section: string]: unknown; readonly search?: object };
}

/** The index trains nothing and compacts nothing beside a test: search has tests of both. */
const AT_REST = { training: false, optimize_after_ms: 3_600_000 };

/** A host with memory and what it needs. */
export function startMemory(
  database: TestDatabase,
  { workers = true, plugins = [], config = {} }: MemoryOptions = {},
): Promise<TestHost> {
  return testHost({
    plugins: [workspaces, syntax, search, secrets, memory, ...plugins],
    database,
    workers,
    config: { ...config, search: { ...AT_REST, ...config.search } },
  });
}

const [expireChanges] = memory.workers as [Worker];

/** Lets thirty days pass for these changes, and expires them. */
export async function expire({ database }: TestHost, ids: readonly string[]): Promise<void> {
  await database.sql('memory_changes').whereIn('id', ids).update({ changed_at: '2020-01-01T00:00:00.000Z' });
  const run = expireChanges.run as (deps: object, signal: AbortSignal) => Promise<unknown>; // erasure: its deps are these
  await run({ database, clock: { now: () => new Date() } }, new AbortController().signal);
}

/** A new workspace; its id. */
export async function newWorkspace(host: TestHost): Promise<string> {
  return (await host.use<{ id: string }>('workspaces_create', { name: 'Team' })).id;
}

/** Starts a host for the tests of a suite, and makes a workspace for each of them. */
export function inNewWorkspaces(
  fresh: () => Promise<TestDatabase>,
  take: (host: TestHost, workspaceId: string) => void,
  options?: MemoryOptions,
): void {
  let host: TestHost;
  before(async () => {
    host = await startMemory(await fresh(), options);
  });
  after(() => host.stop());
  beforeEach(async () => take(host, await newWorkspace(host)));
}

/** A record as a tool returns it. */
export interface Made {
  readonly id: string;
  readonly title: string;
  readonly tags: string[];
  readonly duplicates: ReadonlyArray<{ readonly id: string; readonly similarity: number }>;
  readonly [field: string]: unknown;
}
type Fields = Readonly<Record<string, unknown>> & { readonly workspace_id: string; readonly title: string };

/** Stores a note with a content of its own, unless the fields say otherwise. */
export function storeEvent(host: TestHost, fields: Fields): Promise<Made> {
  const content = `content of ${fields.title}`;
  return host.use('memory_create_event', { event_type: 'note', content, ...fields });
}

/** Creates a fact with a content of its own, unless the fields say otherwise. */
export function createNode(host: TestHost, fields: Fields): Promise<Made> {
  const content = `content of ${fields.title}`;
  return host.use('memory_create_node', { node_type: 'fact', content, ...fields });
}

/** Lets the clock move by at least a millisecond. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits for a condition; the time-out of the test ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Waits until everything that was stored is indexed. */
export function indexed(host: TestHost, workspace_id: string): Promise<void> {
  return until(async () => {
    for (const tool of ['memory_list_events', 'memory_list_nodes']) {
      const page = await host.use<{ total: number }>(tool, { workspace_id, indexing_status: 'pending' });
      if (page.total > 0) return false;
    }
    return true;
  });
}
