import type { Command } from 'commander';
import type { Gateway } from '@service-mcp/core/host';
import { wholeNumber, type DeploymentOptions } from '../deployment.js';
import { loadGateway, type LoadedGateway } from '../gateway.js';
import { aborted } from '../interrupt.js';
import type { Invocation } from '../invocation.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

export function addHttp(program: Command, invocation: Invocation): void {
  program
    .command('http')
    .description(
      'run a gateway on this machine: MCP and JSON-RPC over HTTP, for the service at SERVICE_API_URL',
    )
    .option('--host <address>', 'address to bind; 127.0.0.1 is this machine alone (default: 0.0.0.0)')
    .option('--port <n>', 'port to bind; 0 takes a free one (default: 8787)', wholeNumber(0, 65_535))
    .option('--config <file>', 'deployment file of a gateway (default: the built-in one)')
    .option('--json', 'print the addresses as one JSON object')
    .addHelpText(
      'after',
      '\nEnvironment: SERVICE_API_URL (default: http://127.0.0.1:8080), SERVICE_API_KEY (for clients that send no' +
        '\ncredential of their own), MCP_HTTP_REQUIRE_AUTH, MCP_HTTP_ALLOW_REMOTE, SERVICE_JWT_SECRET, SERVICE_HOST,' +
        '\nSERVICE_PORT, SERVICE_LOG_LEVEL. Options win over it.',
    )
    .action((options: DeploymentOptions) => http(options, invocation));
}

async function http(options: DeploymentOptions, { terminal, signal }: Invocation): Promise<void> {
  const { startGateway } = await import('@service-mcp/core/host');
  // On a terminal, the log of a gateway that is well would only bury the addresses.
  const env = process.stderr.isTTY ? { SERVICE_LOG_LEVEL: 'warn', ...process.env } : process.env;
  const ready = await loadGateway(options, env, terminal.warn);
  const gateway = await startGateway(ready.loaded);
  try {
    if (terminal.json) terminal.value(addresses(gateway, ready));
    else announce(gateway, ready, terminal);
    await aborted(signal);
    terminal.say(terminal.shade('dim', 'Stopping. Press Ctrl-C again to stop at once.'));
  } finally {
    await gateway.stop();
  }
  // Being told to stop is how a gateway ends: no failure.
  process.exitCode = 0;
}

function addresses({ url = '', deployment }: Gateway, ready: LoadedGateway) {
  return {
    url,
    mcp: `${deployment.origins().mcp}/mcp`,
    rpc: `${url}/api/v1/rpc`,
    health: `${url}/health`,
    upstream: ready.upstream,
    authentication: ready.requiresAuth ? 'required' : 'off',
    key: ready.keySource ?? null,
    version: deployment.version,
  };
}

function announce(gateway: Gateway, ready: LoadedGateway, terminal: Terminal): void {
  const { paint } = terminal;
  const { mcp, rpc, health, upstream, version } = addresses(gateway, ready);
  const label = (text: string) => paint('dim', `  ${text}`);
  terminal.out(`${paint('green', '●')} ${paint('bold', 'service-mcp gateway')} ${version} is ready`);
  terminal.out();
  const rows = [
    [label('MCP'), paint('cyan', mcp)],
    [label('JSON-RPC'), paint('cyan', rpc)],
    [label('Health'), paint('cyan', health)],
    [label('Service'), paint('cyan', upstream)],
    [label('Clients'), ready.requiresAuth ? 'send a credential of their own' : 'need no credential'],
    [label('Key'), ready.keySource ?? paint('dim', 'none; the service judges what clients send')],
  ];
  table(rows).forEach((line) => terminal.out(line));
  terminal.out();
  terminal.out(paint('dim', 'Ctrl-C stops it.'));
}
