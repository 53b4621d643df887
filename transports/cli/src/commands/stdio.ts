import type { Command } from 'commander';
import type { Host } from '@service-mcp/core/host';
import { addDeploymentOptions, isLocal, logging, openHere, type DeploymentOptions } from '../deployment.js';
import { commandName, version, type Invocation } from '../invocation.js';

export function addStdio(program: Command, invocation: Invocation): void {
  const command = program
    .command('stdio')
    .description('serve MCP over standard input and output, for a client that starts this process');
  addDeploymentOptions(command)
    .option('--json', 'print errors as JSON')
    .addHelpText(
      'after',
      '\nIt passes calls on to the service at SERVICE_API_URL (default: http://127.0.0.1:8080), with the key of' +
        '\nSERVICE_API_KEY or the one that is kept for it. With --config or --data no service is needed: the deployment is' +
        '\nopened in this process, with indexing inside.',
    )
    .action((options: DeploymentOptions) => stdio(options, invocation));
}

/** The service's catalog, or that of a deployment opened here. */
type Served = Pick<Host, 'catalog' | 'call' | 'stop'>;

/** Serves until the client closes stdin or a signal arrives. */
async function stdio(options: DeploymentOptions, { signal, terminal }: Invocation): Promise<void> {
  const { serveMcpStdio } = await import('@service-mcp/transport-mcp');
  const host = isLocal(options) ? await openHere(options, true) : await openGateway(terminal.warn);
  try {
    const call = () => host.call({ surface: 'mcp', requestId: crypto.randomUUID() });
    const onError = (error: Error) => void process.stderr.write(`${error.message}\n`);
    const connection = serveMcpStdio(host.catalog, call, { version: version(), onError });
    const close = () => void connection.close();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    await connection.closed;
  } finally {
    await host.stop();
  }
  // A client ends it by closing stdin or by a signal: neither is a failure.
  process.exitCode = 0;
}

async function openGateway(warn: (line: string) => void): Promise<Served> {
  const { startGateway } = await import('@service-mcp/core/host');
  const { ServiceError } = await import('@service-mcp/core');
  const { loadGateway } = await import('../gateway.js');
  // Failures are in the answers.
  const { loaded, upstream, keySource } = await loadGateway({}, logging('silent'), warn);
  const gateway = await startGateway(loaded, { listen: false });
  const fault = keySource === undefined ? 'none was found' : `that of ${keySource} is not valid`;
  const remedy = `A key for ${upstream} is needed, and ${fault}: set SERVICE_API_KEY, or make one with: ${commandName()} keys create cli --save --replace --account`;
  return {
    ...gateway,
    catalog: {
      ...gateway.catalog,
      // A client without a valid key can start too: its calls are then answered with what is wrong.
      instructions: (call) =>
        gateway.catalog.instructions(call).catch((thrown: unknown) => {
          if (!(thrown instanceof ServiceError) || thrown.code !== 'UNAUTHENTICATED') throw thrown;
          warn(`${thrown.message} ${remedy}`);
          return remedy;
        }),
    },
  };
}
