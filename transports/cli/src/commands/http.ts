import type { Command } from 'commander';
import type { Gateway } from '@service-mcp/transport-gateway';
import { serverEnv, wholeNumber, type DeploymentOptions } from '../deployment.js';
import type { LoadedGateway } from '../gateway.js';
import { serveUntilStopped, type Invocation } from '../invocation.js';
import type { Terminal } from '../terminal/terminal.js';

export function addHttp(program: Command, invocation: Invocation): void {
  program
    .command('http')
    .description(
      'run a gateway on this machine: MCP and JSON-RPC over HTTP, for the service at SERVICE_API_URL',
    )
    .option('--host <address>', 'address to bind; 127.0.0.1 is this machine alone (default: 0.0.0.0)')
    .option('--port <n>', 'port to bind; 0 takes a free one (default: 8787)', wholeNumber(0, 65_535))
    .option('--config <file>', 'file with settings of a gateway (default: none)')
    .option('--json', 'print the addresses as one JSON object')
    .addHelpText(
      'after',
      '\nEnvironment: SERVICE_API_URL (default: http://127.0.0.1:8080), SERVICE_API_KEY (for clients that send no' +
        '\ncredential of their own), MCP_HTTP_REQUIRE_AUTH, MCP_HTTP_ALLOW_REMOTE, SERVICE_JWT_SECRET, SERVICE_HOST,' +
        '\nSERVICE_PORT, SERVICE_LOG_LEVEL. Options win over it.',
    )
    .action((options: DeploymentOptions) => http(options, invocation));
}

async function http(options: DeploymentOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const { startGateway } = await import('@service-mcp/transport-gateway');
  const { loadGatewayWithKey } = await import('../gateway.js');
  const ready = await loadGatewayWithKey(options, serverEnv(), terminal.warn);
  const gateway = await startGateway(ready.settings);
  await serveUntilStopped(gateway, invocation, () => {
    const facts = describeGateway(gateway, ready);
    if (terminal.json) terminal.value(facts);
    else announce(facts, terminal);
  });
}

function describeGateway({ url, origins }: Gateway, { settings, keySource }: LoadedGateway) {
  return {
    url,
    mcp: `${origins().mcp}/mcp`,
    rpc: `${url}/api/v1/rpc`,
    health: `${url}/health`,
    upstream: settings.base,
    authentication: settings.upstream.require_auth ? 'required' : 'off',
    key: keySource ?? null,
    version: settings.version,
  };
}

function announce(facts: ReturnType<typeof describeGateway>, { out, table, paint }: Terminal): void {
  const label = (text: string) => paint('dim', `  ${text}`);
  out(`${paint('green', '●')} ${paint('bold', 'service-mcp gateway')} ${facts.version} is ready\n`);
  table([
    [label('MCP'), paint('cyan', facts.mcp)],
    [label('JSON-RPC'), paint('cyan', facts.rpc)],
    [label('Health'), paint('cyan', facts.health)],
    [label('Service'), paint('cyan', facts.upstream)],
    [
      label('Clients'),
      facts.authentication === 'required' ? 'send a credential of their own' : 'need no credential',
    ],
    [label('Key'), facts.key ?? paint('dim', 'none; the service checks what clients send')],
  ]);
  out(`\n${paint('dim', 'Ctrl-C stops it.')}`);
}
