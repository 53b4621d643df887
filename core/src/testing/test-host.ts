import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller, Role } from '../caller.js';
import { assemble, start, type Host } from '../boot/index.js';
import type { Plugin } from '../plugin.js';
import { Events } from '../change-events.js';
import { Memberships } from '../services.js';
import { optional } from '../token.js';
import type { Transport } from '../transport.js';
import { callerWith } from './caller-with.js';
import type { TestDatabase } from './each-database.js';
import { probe } from './probe.js';
import { copySchema } from './schema-templates.js';
import { use, type UseOptions } from './use.js';

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
  /** See {@link StartOptions}. */
  readonly isService?: boolean;
  /** False: the start migrates a new database itself, where the run has a migrated one to copy. Default true. */
  readonly template?: boolean;
}

export interface TestHost extends Host {
  /** Calls a tool in this process and returns its structured result; see {@link use}. */
  use<T = Record<string, unknown>>(tool: string, args?: object, options?: UseOptions): Promise<T>;
  /** A new caller with a role in a workspace, for `use(…, { as })`. Throws where no plugin keeps memberships. */
  member(workspaceId: string, role: Role, init?: Partial<Caller>): Promise<Caller>;
}

/** A real host over real storage, with the log silent. `stop` also removes what it made. */
export async function testHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { plugins = [], transports = [], config = {}, env = {}, database } = options;
  const dataDir = database?.dataDir ?? (await mkdtemp(join(tmpdir(), 'service-mcp-test-')));
  const { plugin, services } = probe({ events: Events, memberships: optional(Memberships) }, 'test-host');
  const loaded = assemble(
    { log: { level: 'silent' }, ...config },
    [...plugins, plugin],
    transports,
    { ...database?.env, ...env },
    { dataDir, port: 0 },
  );
  if (options.template !== false) await copySchema(loaded.plugins, { dataDir, database });
  const host = await start(loaded, {
    listen: options.listen ?? transports.length > 0,
    workers: options.workers ?? true,
    isService: options.isService ?? true,
  });
  return {
    ...host,
    use: <T>(tool: string, args?: object, options?: UseOptions) => use<T>(host, tool, args, options),
    async member(workspaceId, role, init) {
      const { events, memberships } = services();
      if (!memberships)
        throw new Error('no plugin of this host keeps memberships: add the workspaces plugin');
      const caller = callerWith({ name: role, ...init });
      const { userId } = caller;
      await events.change((sql, record) => memberships.join(sql, record, { workspaceId, userId, role }));
      return caller;
    },
    async stop() {
      await host.stop();
      if (!database) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
