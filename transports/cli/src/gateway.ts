import type { LoadedDeployment } from '@service-mcp/core/host';
import { UpstreamCatalog } from '@service-mcp/core';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyAddress } from './connection/address.js';
import { findKeptKey } from './connection/credentials.js';
import { loadFile, type DeploymentOptions } from './deployment.js';

/** The built-in gateway; deploy/gateway.json is the same. */
const GATEWAY_DEPLOYMENT = fileURLToPath(new URL('../gateway-deployment.json', import.meta.url));

/** A gateway that is ready to start. */
export interface LoadedGateway {
  readonly loaded: LoadedDeployment;
  /** The address of the service behind it. */
  readonly upstream: string;
  /** Where the key for clients without one is from; undefined where there is none. */
  readonly keySource: string | undefined;
  readonly requiresAuth: boolean;
}

/** The keys of the section `upstream` that are read here. */
interface UpstreamSection {
  readonly url: string;
  readonly api_key?: string;
  readonly require_auth: boolean;
}

/**
 * Reads a gateway's deployment. Where neither it nor SERVICE_API_KEY gives a key, the key kept for the service at that
 * address is used, and never one of a client's file: whoever wrote that folder may have chosen it. Throws BootError.
 */
export async function loadGateway(
  options: DeploymentOptions,
  environment: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<LoadedGateway> {
  const file = options.config === undefined ? GATEWAY_DEPLOYMENT : resolve(options.config);
  const env = { ...environment, SERVICE_API_KEY: environment['SERVICE_API_KEY']?.trim() };
  const loaded = await loadFile(file, options, env);
  const { url = '', api_key: given, require_auth: requiresAuth = false } = upstreamSection(loaded) ?? {};
  const facts = { upstream: url, requiresAuth };
  if (given !== undefined)
    return { ...facts, loaded, keySource: env.SERVICE_API_KEY ? 'SERVICE_API_KEY' : file };
  const kept = await findKeptKey(keyAddress(url) ?? url, { env, warn });
  if (!kept) return { ...facts, loaded, keySource: undefined };
  const withKey = await loadFile(file, options, { ...env, SERVICE_API_KEY: kept.key });
  return { ...facts, loaded: withKey, keySource: kept.source };
}

function upstreamSection({ plugins, sections }: LoadedDeployment): UpstreamSection | undefined {
  const plugin = plugins.find(({ services }) =>
    services.some(({ target }) => target.key === UpstreamCatalog.key),
  );
  return plugin?.config && (sections.get(plugin.config) as unknown as UpstreamSection); // the plugin's schema has these
}
