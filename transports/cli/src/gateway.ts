import type { LoadedDeployment } from '@service-mcp/core/host';
import { UpstreamCatalog } from '@service-mcp/core';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyAddress } from './connection/address.js';
import { findKeptKey } from './connection/credentials.js';
import { loadFile, type DeploymentOptions } from './deployment.js';

/** The gateway that is run where no deployment is named; deploy/gateway.json is the same. */
const GATEWAY_DEPLOYMENT = fileURLToPath(new URL('../gateway-deployment.json', import.meta.url));

/** A gateway that is ready to start. */
export interface LoadedGateway {
  readonly loaded: LoadedDeployment;
  /** The address of the service behind it. */
  readonly upstream: string;
  /** Where the key comes from that is sent for clients without one; undefined where there is none. */
  readonly keySource: string | undefined;
  readonly requiresAuth: boolean;
}

/** What of the section `upstream` matters here. */
interface Section {
  readonly url: string;
  readonly api_key?: string;
  readonly require_auth: boolean;
}

/**
 * Reads a gateway's deployment. Where no key is given in it or in SERVICE_API_KEY, the one that is kept for the service
 * at that address is taken, and never one of a client's file: whoever wrote that folder may have chosen it. Throws BootError.
 */
export async function loadGateway(
  options: DeploymentOptions,
  environment: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<LoadedGateway> {
  const file = options.config === undefined ? GATEWAY_DEPLOYMENT : resolve(options.config);
  const env = { ...environment, SERVICE_API_KEY: environment['SERVICE_API_KEY']?.trim() };
  const loaded = await loadFile(file, options, env);
  const { url = '', api_key: given, require_auth: requiresAuth = false } = sectionOf(loaded) ?? {};
  const told = { upstream: url, requiresAuth };
  if (given !== undefined) {
    return { ...told, loaded, keySource: env.SERVICE_API_KEY ? 'SERVICE_API_KEY' : file };
  }
  const kept = await findKeptKey(keyAddress(url) ?? url, { env, warn });
  if (!kept) return { ...told, loaded, keySource: undefined };
  return {
    ...told,
    loaded: await loadFile(file, options, { ...env, SERVICE_API_KEY: kept.key }),
    keySource: kept.source,
  };
}

function sectionOf(loaded: LoadedDeployment): Section | undefined {
  const config = loaded.plugins.find(providesUpstream)?.config;
  return config && (loaded.sections.get(config) as unknown as Section); // the schema of the plugin has these
}

function providesUpstream(plugin: LoadedDeployment['plugins'][number]): boolean {
  return plugin.services.some(({ target }) => target.key === UpstreamCatalog.key);
}
