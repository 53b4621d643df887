import type { Command } from 'commander';
import { addDeploymentOptions, isLocal, logging, type DeploymentOptions } from '../deployment.js';
import { openHere } from '../open-here.js';
import { commandName } from '../command-name.js';
import { version, type Invocation } from '../invocation.js';

export function addStdio(program: Command, invocation: Invocation): void {
  const command = program
    .command('stdio')
    .description('serve MCP over standard input and output, for a client that starts this process');
  addDeploymentOptions(command)
    .option('--json', 'print errors as JSON')
    .addHelpText(
      'after',
      '\nIt forwards calls to the service at SERVICE_API_URL (default: http://127.0.0.1:8080), with the key of' +
        '\nSERVICE_API_KEY or the saved key. With --config or --data it needs no service: it opens the deployment' +
        '\nand indexes in this process. SERVICE_TOOLSETS_DEFAULT=complete lists every tool.',
    )
    .action((options: DeploymentOptions) => stdio(options, invocation));
}

/** Serves until the client closes stdin or a signal arrives. */
async function stdio(options: DeploymentOptions, invocation: Invocation): Promise<void> {
  await (isLocal(options) ? serveHere(options, invocation) : relay(invocation));
  // A client ends it by closing stdin or by a signal: neither is a failure.
  process.exitCode = 0;
}

async function serveHere(options: DeploymentOptions, { signal, terminal }: Invocation): Promise<void> {
  const { serveMcpStdio } = await import('@service-mcp/transport-mcp');
  const host = await openHere(options, { workers: true, onCreate: terminal.write, upgrades: true });
  try {
    // What a client of the service gets that selects nothing.
    const selection = host.registry.defaultSelection();
    const call = () => host.call({ surface: 'mcp', requestId: crypto.randomUUID(), selection });
    const onError = (error: Error) => void process.stderr.write(`${error.message}\n`);
    const connection = serveMcpStdio(host.catalog, call, { version: version(), onError });
    const close = () => void connection.close();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) close();
    await connection.closed;
  } finally {
    await host.stop();
  }
}

async function relay({ signal, terminal: { warn } }: Invocation): Promise<void> {
  const { relayStdio } = await import('@service-mcp/transport-gateway/stdio');
  const { loadGatewayWithKey } = await import('../gateway.js');
  // Failures are in the answers.
  const { settings, keySource } = await loadGatewayWithKey({}, logging('silent'), warn);
  for (const { fault, remedy } of settings.strayVariables) warn(`${fault}. ${remedy}`);
  const fault = keySource === undefined ? 'none was found' : `that of ${keySource} is not valid`;
  const keyRemedy = `A key for ${settings.base} is needed, and ${fault}: set SERVICE_API_KEY, or make one with: ${commandName()} keys create cli --save --replace --account (with the --data of that service, if it has one)`;
  await relayStdio(settings, { signal, keyRemedy, warn });
}
