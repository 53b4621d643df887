import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallContext } from '../caller.js';
import { assemble, start, type Host } from '../boot/index.js';
import type { Plugin } from '../plugin.js';
import type { Transport } from '../transport.js';
import type { TestDatabase } from './each-database.js';

export interface TestHostOptions {
  readonly plugins?: readonly Plugin[];
  readonly transports?: readonly Transport[];
  /** Sections of the deployment file. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a new SQLite database in a folder that goes with the host. */
  readonly database?: TestDatabase;
  /** Bind a free port of 127.0.0.1. Default: only where there are transports. */
  readonly listen?: boolean;
  readonly workers?: boolean;
}

export interface TestHost extends Host {
  /** Calls a tool in this process and returns its structured result. */
  use<T = Record<string, unknown>>(tool: string, args?: object, init?: Partial<CallContext>): Promise<T>;
}

/** A real host over real storage, with the log silent. `stop` also removes what it made. */
export async function testHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { plugins = [], transports = [], config = {}, env = {}, database } = options;
  const dataDir = database?.dataDir ?? (await mkdtemp(join(tmpdir(), 'service-mcp-test-')));
  const loaded = assemble(
    { log: { level: 'silent' }, ...config },
    plugins,
    transports,
    { ...database?.env, ...env },
    { dataDir, port: 0 },
  );
  const host = await start(loaded, {
    listen: options.listen ?? transports.length > 0,
    workers: options.workers ?? true,
  });
  return {
    ...host,
    async use<T>(tool: string, args: object = {}, init: Partial<CallContext> = {}) {
      const result = await host.catalog.call(tool, args, host.call(init));
      if (result.kind !== 'complete') throw new Error(`${tool} asks for input`);
      return result.structured as T; // tests say what they expect
    },
    async stop() {
      await host.stop();
      if (!database) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
