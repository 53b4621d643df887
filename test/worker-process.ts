import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BINARY } from './command.js';
import type { ServiceProcess } from './service-process.js';
import { LOCAL_DEPLOYMENT } from './start-service.js';

/** The check of a service's `/ready` that tells of its child process. */
export async function backgroundWork(service: ServiceProcess) {
  const { checks } = (await (await fetch(`${service.url}/ready`)).json()) as {
    checks: Array<{ name: string; status: string; message: string }>;
  };
  const check = checks.find(({ name }) => name === 'background work');
  const pid = /process (\d+)/.exec(check?.message ?? '')?.[1];
  return { ...check, pid: pid === undefined ? undefined : Number(pid) };
}

/** The id of a service's child process, once it runs. */
export async function workerOf(service: ServiceProcess): Promise<number> {
  for (;;) {
    const { pid } = await backgroundWork(service);
    if (pid !== undefined) return pid;
    await delay(20);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Until a process has ended. */
export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(20);
}

/** Starts `service-mcp worker` over the data of a service. */
export function startWorker(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BINARY, 'worker', '--config', LOCAL_DEPLOYMENT, '--data', dataDir], {
    env: { ...process.env, SERVICE_LOG_LEVEL: 'error', ...env },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  return {
    child,
    /** Ends it and waits; returns its exit code, null after SIGKILL. */
    async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
