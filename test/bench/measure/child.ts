import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Usage } from '../servers/parent.js';

/** A server in a process of its own, so that its processor time and memory are its own. */
export interface ServerProcess {
  readonly port: number;
  readonly pid: number;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Starts a module of `servers/` and waits until it serves. `BENCH_PROFILE` names a folder to write a
 * processor profile of each such process to.
 */
export function startServer(name: string, ...args: string[]): Promise<ServerProcess> {
  return startModule(name, fileURLToPath(new URL(`../servers/${name}.js`, import.meta.url)), args);
}

/** As `startServer`, for the module of that name in another checkout, which is built. */
export function startServerOf(checkout: string, name: string, ...args: string[]): Promise<ServerProcess> {
  return startModule(`base-${name}`, join(checkout, 'test', 'dist', 'bench', 'servers', `${name}.js`), args);
}

async function startModule(name: string, module: string, args: readonly string[]): Promise<ServerProcess> {
  const folder = process.env['BENCH_PROFILE'];
  const child = fork(module, args, {
    execArgv: folder ? ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-name', `${name}.cpuprofile`] : [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ${name} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const ask = async (question: object): Promise<unknown> => {
    const answered = once(child, 'message').then(([answer]) => answer as unknown);
    child.send(question);
    return Promise.race([answered, ended]);
  };
  const [ready] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  return {
    port: ready.port,
    pid: child.pid ?? 0,
    usage: async () => (await ask({})) as Usage,
    async stop() {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}
