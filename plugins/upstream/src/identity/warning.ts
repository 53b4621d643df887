import type { Settings } from '../config.js';

/** What is said at start, in red where a person reads it, of a gateway that other machines reach without a credential. */
export function warnOfOpenness({ allow_remote: allowsRemote }: Settings, stream = process.stderr): void {
  const red = stream.isTTY && !process.env['NO_COLOR'];
  const text = (allowsRemote ? SERVES_ALL : REFUSES_OTHERS).join('\n');
  stream.write(red ? `\u001B[1;31m${text}\u001B[0m\n` : `${text}\n`);
}

const REFUSES_OTHERS = [
  'WARNING: authentication is off, and this gateway is bound beyond this machine.',
  '  Calls from other machines are refused. To serve them, start it with one of',
  '    MCP_HTTP_REQUIRE_AUTH=true   each client sends a credential of its own',
  '    MCP_HTTP_ALLOW_REMOTE=true   anybody is served: only behind a proxy',
  '                                 that authenticates',
  '  and with the address that they use: SERVICE_BASE_URL=http://HOST:PORT',
  '  To serve this machine alone: --host 127.0.0.1',
];

const SERVES_ALL = [
  'WARNING: authentication is off, and this gateway serves every machine that',
  '  reaches it (MCP_HTTP_ALLOW_REMOTE=true).',
  '  Whoever reaches its port calls the service with the key of this gateway. Keep',
  '  it behind a proxy that authenticates and ends TLS, or start it with',
  '  MCP_HTTP_REQUIRE_AUTH=true. Never expose it to the internet.',
];
