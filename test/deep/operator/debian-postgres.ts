import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../free-port.js';

const ROOTS = '/usr/lib/postgresql';

/** A PostgreSQL of the system, with the programs that come with it: pg_dump reads servers of its own version or older. */
export interface DebianPostgres {
  /** Folder of psql, pg_dump and pg_restore. */
  readonly bin: string;
  /** Address of an empty database of this name, which is created. */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it over data of its own on a free loopback port, as the user postgres where this process is root's. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const version = readdirSync(ROOTS).find((name) => existsSync(join(ROOTS, name, 'bin', 'pg_dump')));
  if (version === undefined) throw new Error(`${ROOTS} has no PostgreSQL`);
  const bin = join(ROOTS, version, 'bin');
  const run = promisify(execFile);
  const isRoot = process.getuid?.() === 0;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const user = isRoot ? { uid: await idOf('-u'), gid: await idOf('-g') } : {};
  const folder = await mkdtemp(join(tmpdir(), 'service-mcp-postgres-'));
  await chmod(folder, 0o777); // for that user
  const data = join(folder, 'data');
  const port = await freePort();
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder },
  );
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, 'fsync=off'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server: ChildProcess = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const address = (name: string) => `postgresql://postgres@127.0.0.1:${port}/${name}`;
  const psql = (statement: string) =>
    run(join(bin, 'psql'), ['-X', '-q', '-c', statement, address('postgres')]);
  while (!(await psql('select 1').catch(() => undefined))) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    bin,
    async create(name) {
      await psql(`create database ${name}`);
      return address(name);
    },
    async stop() {
      server.kill('SIGINT'); // a fast shutdown
      if (server.exitCode === null) await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
