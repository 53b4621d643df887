import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import type { SpawnWorker } from '@service-mcp/core/host';
import {
  BINARY,
  addDeploymentOptions,
  flagsOf,
  load,
  serverEnv,
  type DeploymentOptions,
} from '../deployment.js';
import { refuseLostDatabase } from '../open-here.js';
import { parentGone, serveUntilStopped, type Invocation } from '../invocation.js';

export function addWorker(program: Command, invocation: Invocation): void {
  addDeploymentOptions(program.command('worker'))
    .description(
      'run only the background work of a deployment (indexing, training), without serving requests',
    )
    .option('--json', 'print errors as JSON')
    .addHelpText(
      'after',
      '\nserve starts one by itself. Run it where SERVICE_WORKERS=elsewhere keeps that work out of serve: as many as you' +
        '\nlike, with the same database and the same LANCEDB_URI. They share the work by workspace.',
    )
    .action((options: DeploymentOptions) => work(options, invocation));
}

/**
 * Bytes of bytecode that V8 runs before it optimizes a function, fifteen times its default. Most functions of an ingest run
 * for seconds only, in several threads: optimizing them took a quarter of the processor time (ADR 80).
 */
const OPTIMIZE_AFTER = 1_000_000;
/** Several threads that collect one young heap cost a tenth more, and what they wait for is the other threads of an ingest. */
const COLLECT_ALONE = '--no-parallel-scavenge';

async function work(options: DeploymentOptions, invocation: Invocation): Promise<void> {
  const parent = process.send === undefined ? undefined : parentGone();
  setFlagsFromString(`--interrupt-budget=${OPTIMIZE_AFTER}`);
  setFlagsFromString(COLLECT_ALONE);
  process.umask(0o077); // what a service writes is for its own user
  const { start } = await import('@service-mcp/core/host');
  const loaded = await load(options, serverEnv());
  await refuseLostDatabase(loaded);
  const host = await start(loaded, { listen: false, workers: 'apart' });
  if (!parent) {
    const { terminal } = invocation;
    return serveUntilStopped(host, invocation, () => terminal.note('Working. Press Ctrl-C to stop.'));
  }
  await Promise.race([parent, once(invocation.signal, 'abort')]);
  await host.stop();
}

/**
 * Starts the worker of a service over the same deployment. It is in a process group of its own: Ctrl-C reaches the
 * service, which ends it.
 */
export function workerOf(options: DeploymentOptions): SpawnWorker {
  return (env) =>
    fork(BINARY, ['worker', ...flagsOf(options, 'config', 'data')], {
      detached: true,
      env: { ...env, ...serverEnv() },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}
