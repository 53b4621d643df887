import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@service-mcp/core/testing';
import { BINARY } from '../../command.js';
import { freePort } from '../../free-port.js';

const HOSTED = fileURLToPath(new URL('../../../../deploy/hosted.json', import.meta.url));
/** For a machine that is busy with other tests. */
const READY_MS = 90_000;
/** What the first account needs where there is no local owner. */
export const SETUP_TOKEN = 'a set-up token of the tests';

export interface ServeProcess {
  readonly port: number;
  /** The output of `serve --json` when it was ready. */
  readonly told: {
    readonly url: string;
    readonly first_run?: { readonly email: string; readonly password_link: string };
  };
  stop(): Promise<void>;
}

export interface Serving {
  /** Starts one more process of the real service, with accounts, over the database. */
  start(): Promise<ServeProcess>;
  /** Runs a command of the real binary over the same database. Returns its output as JSON. */
  command(...args: readonly string[]): Promise<Record<string, unknown>>;
}

/** Starts processes of the hosted deployment over one database; `sections` override its file. */
export async function prepareServing(database: TestDatabase, sections: object = {}): Promise<Serving> {
  const packages = JSON.parse(await readFile(HOSTED, 'utf8')) as object;
  const file = join(database.dataDir, 'deployment.json');
  const defaults = {
    limits: { read_per_minute: 0, write_per_minute: 0, open_per_minute: 0 },
    auth: { registration: 'open', setup_token: SETUP_TOKEN, oauth_key_check_seconds: 0 },
    log: { level: 'error' },
  };
  await writeFile(file, JSON.stringify({ ...packages, ...defaults, ...sections }));
  const options = ['--config', file, '--data', database.dataDir, '--json'];
  const env = { ...process.env, ...database.env, XDG_CONFIG_HOME: join(database.dataDir, 'config') };
  const run = (args: readonly string[]) =>
    spawn(process.execPath, [BINARY, ...args, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    async start() {
      const port = await freePort();
      const child = run(['serve', '--port', String(port)]);
      const told = await ready(child);
      return {
        port,
        told,
        async stop() {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const exited = once(child, 'exit');
          child.kill('SIGTERM');
          await exited;
        },
      };
    },
    async command(...args) {
      const child = run(args);
      const exited = once(child, 'close') as Promise<[number]>;
      let [printed, errors] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const [code] = await exited;
      assert.equal(code, 0, errors);
      return JSON.parse(printed) as Record<string, unknown>;
    },
  };
}

/** Its output when it is ready. */
async function ready(child: ChildProcess): Promise<ServeProcess['told']> {
  let [printed, errors] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`the service ${why}: ${errors}`));
    const timer = setTimeout(() => fail(`was not ready within ${READY_MS} ms`), READY_MS);
    child.once('exit', () => fail('ended before it was ready'));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (!printed.endsWith('\n}\n')) return;
      clearTimeout(timer);
      resolve(JSON.parse(printed) as ServeProcess['told']);
    });
  });
}
