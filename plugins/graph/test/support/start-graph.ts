import { testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import graph from '@service-mcp/plugin-graph';
import memory from '@service-mcp/plugin-memory';
import search from '@service-mcp/plugin-search';
import secrets from '@service-mcp/plugin-secrets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

/** A host with the graph and what it needs. */
export function startGraph(database: TestDatabase, workers = true): Promise<TestHost> {
  const plugins = [workspaces, syntax, search, secrets, memory, graph];
  // The index of texts trains nothing and compacts nothing beside a test.
  const config = { search: { training: false, optimize_after_ms: 3_600_000 } };
  return testHost({ plugins, config, database, workers });
}

/** Waits for a condition; the time-out of the test ends it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}
