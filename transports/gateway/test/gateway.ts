import {
  loadGateway,
  startGateway,
  type Gateway,
  type GatewaySettings,
} from '@service-mcp/transport-gateway';

/** A gateway in this process, on a free loopback port. */
export async function gatewayTo(
  url: string,
  upstream: Partial<GatewaySettings['upstream']> = {},
): Promise<Gateway> {
  const env = { SERVICE_API_URL: url, SERVICE_LOG_LEVEL: 'silent' };
  const settings = await loadGateway(undefined, env, { host: '127.0.0.1', port: 0 });
  return startGateway({ ...settings, upstream: { ...settings.upstream, ...upstream } });
}
