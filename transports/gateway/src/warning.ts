import { styleText } from 'node:util';
import type { GatewaySettings } from './settings.js';

/** Warns at startup, in red on a terminal, about a gateway that other machines reach without a credential. */
export function warnUnauthenticated(
  { allow_remote: allowsRemote }: GatewaySettings['upstream'],
  stream = process.stderr,
): void {
  const text = allowsRemote ? SERVES_ALL : REFUSES_OTHERS;
  stream.write(`${styleText('red', text, { stream })}\n`);
}

const REFUSES_OTHERS = `WARNING: authentication is off, and other machines can reach this gateway.
  Calls from other machines are rejected. To serve them, start it with one of
    MCP_HTTP_REQUIRE_AUTH=true   each client sends its own credential
    MCP_HTTP_ALLOW_REMOTE=true   everybody is served: only behind an
                                 authenticating proxy
  and with the address that clients use: SERVICE_BASE_URL=http://HOST:PORT
  To serve only this machine: --host 127.0.0.1`;

const SERVES_ALL = `WARNING: authentication is off, and this gateway serves every machine that
  can reach it (MCP_HTTP_ALLOW_REMOTE=true).
  Everybody who reaches its port calls the service with the key of this gateway.
  Keep it behind an authenticating proxy that terminates TLS, or start it with
  MCP_HTTP_REQUIRE_AUTH=true. Never expose it to the internet.`;
