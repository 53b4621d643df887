import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadDeployment, start, type Host } from '@service-mcp/core/host';
import { copySchema, use } from '@service-mcp/core/testing';

/** The built-in deployment, with accounts. */
export const HOSTED_DEPLOYMENT = fileURLToPath(new URL('../../deploy/hosted.json', import.meta.url));

/** The deployment with one local owner. */
export const LOCAL_DEPLOYMENT = fileURLToPath(new URL('../../deploy/local.json', import.meta.url));

/** A running service: the default deployment over temporary data, on a free loopback port. */
export interface Service {
  readonly host: Host;
  readonly url: string;
  /** The deployment file and the data folder, for a second process over the same data. */
  readonly file: string;
  readonly dataDir: string;
  /** Calls a tool in this process and returns its structured result. */
  use<T = Record<string, unknown>>(tool: string, args?: object): Promise<T>;
  /** Until every file of the project is indexed. */
  indexed(projectId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the default deployment; `sections` are laid over its file. */
export async function startService(sections: Readonly<Record<string, unknown>> = {}): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-'));
  const file = join(dataDir, 'deployment.json');
  const { plugins, transports } = await defaultPackages();
  await writeFile(file, JSON.stringify({ plugins, transports, log: { level: 'silent' }, ...sections }));
  const resolveFrom = fileURLToPath(import.meta.url);
  const loaded = await loadDeployment({ file, env: {}, overrides: { port: 0, dataDir }, resolveFrom });
  await copySchema(loaded.plugins, { dataDir });
  const host = await start(loaded);
  const useTool = <T>(tool: string, args?: object) => use<T>(host, tool, args);
  return {
    host,
    url: host.url ?? '',
    file,
    dataDir,
    use: useTool,
    async indexed(projectId) {
      for (;;) {
        const status = await useTool<{ state: string }>('projects_index_status', { project_id: projectId });
        if (status.state !== 'indexing') return;
        await delay(25);
      }
    },
    async stop() {
      await host.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The package names in the default deployment file. */
export async function defaultPackages(): Promise<{ plugins: string[]; transports: string[] }> {
  const { default: file } = (await import(LOCAL_DEPLOYMENT, { with: { type: 'json' } })) as {
    default: { plugins: string[]; transports: string[] };
  };
  return file;
}
