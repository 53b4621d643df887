import { freshDatabase } from '@service-mcp/core/testing';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** An empty PostgreSQL database that is reached through a proxy. */
export interface ProxiedPostgres {
  readonly proxy: TcpProxy;
  readonly dataDir: string;
  /** Environment of a service over it. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

export async function postgresBehindProxy(): Promise<ProxiedPostgres> {
  const database = await freshDatabase('postgresql');
  const url = new URL(database.env['DATABASE_URL'] ?? '');
  const proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  return {
    proxy,
    dataDir: database.dataDir,
    env: { DATABASE_URL: url.href },
    async drop() {
      await proxy.close();
      await database.drop();
    },
  };
}
