import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { SpawnWorker } from '@service-mcp/core/host';
import { fileURLToPath } from 'node:url';
import { addDeploymentOptions, load, serverEnv, type DeploymentOptions } from '../deployment.js';
import { serveUntilStopped, type Invocation } from '../invocation.js';

const BINARY = fileURLToPath(new URL('../../bin/service-mcp.js', import.meta.url));

export function addWorker(program: Command, invocation: Invocation): void {
  addDeploymentOptions(program.command('worker'))
    .description('do the heavy background work of a deployment (indexing, training) without listening')
    .addHelpText(
      'after',
      '\nserve starts one by itself. Run it where SERVICE_WORKERS=elsewhere keeps that work out of serve: as many as you' +
        '\nlike, with the same database and the same LANCEDB_URI. They share the work by workspace.',
    )
    .action((options: DeploymentOptions) => work(options, invocation));
}

async function work(options: DeploymentOptions, invocation: Invocation): Promise<void> {
  const parent = process.send === undefined ? undefined : parentGone();
  const { start } = await import('@service-mcp/core/host');
  const host = await start(await load(options, serverEnv()), { listen: false, workers: 'apart' });
  if (!parent) {
    const { terminal } = invocation;
    return serveUntilStopped(host, invocation, () => terminal.note('Working. Press Ctrl-C to stop.'));
  }
  await Promise.race([parent, once(invocation.signal, 'abort')]);
  await host.stop();
}

/** Resolves when the service that started this process asks it to end, or has died. */
async function parentGone(): Promise<void> {
  if (process.connected) await once(process, 'disconnect');
}

/**
 * Starts the worker of a service over the same deployment. It is in a process group of its own: Ctrl-C reaches the
 * service, which ends it.
 */
export function workerOf({ config, data }: DeploymentOptions): SpawnWorker {
  const flags = Object.entries({ config, data }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return () =>
    fork(BINARY, ['worker', ...flags], {
      detached: true,
      // Fewer arenas of glibc: an ingest of 100 MB peaks a fifth lower.
      env: { MALLOC_ARENA_MAX: '2', ...serverEnv() },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}
