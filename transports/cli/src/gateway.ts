import type { GatewaySettings } from '@service-mcp/transport-gateway';
import { keyAddress } from './connection/address.js';
import { findKeptKey } from './connection/credentials.js';
import type { DeploymentOptions } from './deployment.js';

/** A gateway that is ready to start. */
export interface LoadedGateway {
  readonly settings: GatewaySettings;
  /** The origin of the key for clients without one; undefined where there is none. */
  readonly keySource: string | undefined;
}

/**
 * Reads a gateway's settings. Where neither its file nor SERVICE_API_KEY gives a key, the key kept for the service at
 * that address is used, and never one of a client's file: whoever wrote that folder may have chosen it. Throws BootError.
 */
export async function loadGatewayWithKey(
  { config, host, port }: DeploymentOptions,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<LoadedGateway> {
  const { loadGateway } = await import('@service-mcp/transport-gateway');
  const settings = await loadGateway(config, env, { host, port });
  const { upstream, base } = settings;
  if (upstream.api_key !== undefined) {
    const variable = ['SERVICE_API_KEY', 'SERVICE_API_KEY_FILE'].find((name) => env[name]?.trim());
    return { settings, keySource: variable ?? config };
  }
  const kept = await findKeptKey(keyAddress(base) ?? base, { env, warn });
  if (!kept) return { settings, keySource: undefined };
  return { settings: { ...settings, upstream: { ...upstream, api_key: kept.key } }, keySource: kept.source };
}
