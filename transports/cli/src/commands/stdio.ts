import type { Command } from 'commander';
import { addDeploymentOptions, openHere, type DeploymentOptions } from '../deployment.js';
import { version, type Invocation } from '../invocation.js';

export function addStdio(program: Command, invocation: Invocation): void {
  const command = program
    .command('stdio')
    .description('serve MCP over standard input and output, for a client that starts this process');
  addDeploymentOptions(command)
    .option('--json', 'print errors as JSON')
    .action((options: DeploymentOptions) => stdio(options, invocation));
}

/** Opens the deployment in this process, indexing included, and serves until the client closes stdin or a signal comes. */
async function stdio(options: DeploymentOptions, { signal }: Invocation): Promise<void> {
  const { serveMcpStdio } = await import('@service-mcp/transport-mcp');
  const host = await openHere(options, true);
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
  // The end of stdin and a signal are the two ways a client ends it: no failure.
  process.exitCode = 0;
}
