import assert from 'node:assert/strict';
import type { Service } from '../../start-service.js';
import { startDeployment } from './deployment.js';
import { openWorkbench, runCodegen, type Workbench } from './generated.js';

export type Deployment = Service & { readonly key: string };
export interface Failed extends Error {
  readonly code: string;
  readonly status?: number;
  readonly details?: { issues?: { path: string; message: string }[] };
  readonly retryAfterMs?: number;
  readonly missing?: readonly string[];
  readonly added?: readonly string[];
  readonly changed?: readonly string[];
}
export interface Options {
  readonly url: string;
  readonly key?: string | (() => string | Promise<string>);
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly onMismatch?: 'throw' | 'ignore' | ((mismatch: Failed) => void);
}
export interface Client {
  connect(): Promise<void>;
  help(input?: object, options?: { signal?: AbortSignal }): Promise<{ version: string }>;
  workspacesCreate(input: object): Promise<{ id: string; name: string }>;
  workspacesGet(input: object): Promise<{ id: string; name: string }>;
  workspacesList(input?: object): Promise<{ items: { id: string; name: string }[]; total: number }>;
  searchKeyword(input: object): Promise<{ results: unknown[] }>;
}
export interface Module {
  readonly ServiceClient: new (options: Options) => Client;
  readonly ServiceError: new (...args: never[]) => Failed;
  readonly ToolsetMismatch: new (...args: never[]) => Failed;
  readonly TOOLSET: { readonly hash: string; readonly tools: readonly [string, string][] };
}

/** A service, and the client that the real command generated for it. */
export interface Made {
  readonly service: Deployment;
  readonly bench: Workbench;
  readonly source: string;
  readonly made: Module;
  client(options?: Partial<Options>): Client;
  /** The ServiceError that a call fails with; anything else fails the test. */
  failure(work: Promise<unknown>): Promise<Failed>;
  close(): Promise<void>;
}

export async function makeClient(): Promise<Made> {
  const service = await startDeployment({ limits: { read_per_minute: 0, write_per_minute: 0 } });
  const bench = await openWorkbench();
  const { stdout: source } = await runCodegen(['--url', service.url], { SERVICE_API_KEY: service.key });
  const made = await bench.load<Module>(source);
  return {
    service,
    bench,
    source,
    made,
    client: (options = {}) => new made.ServiceClient({ url: service.url, key: service.key, ...options }),
    async failure(work) {
      try {
        await work;
      } catch (thrown) {
        assert.ok(thrown instanceof made.ServiceError, String(thrown));
        return thrown;
      }
      throw new Error('it should have failed');
    },
    async close() {
      await bench.remove();
      await service.stop();
    },
  };
}

/** A fetch that counts requests by MCP method, and may change the response. */
export const watched = (change: (body: { result: { tools?: object[] } }) => unknown = (body) => body) => {
  const methods: string[] = [];
  const watching: typeof fetch = async (input, init) => {
    methods.push(new Headers(init?.headers).get('mcp-method') ?? '');
    const response = await fetch(input, init);
    const { status, headers } = response;
    const body = JSON.stringify(change((await response.json()) as { result: { tools?: object[] } }));
    return new Response(body, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
  };
  return { methods, fetch: watching };
};
