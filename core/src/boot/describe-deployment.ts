import { isLoopback } from '../http/guard.js';
import type { Plugin } from '../plugin.js';
import { Authenticator, type Deployment } from '../services.js';
import type { CoreConfig } from './config.js';
import { newProcessId } from '../storage/lease.js';
import type { LoadedDeployment } from './load.js';

/** The facts of a deployment that its plugins may read. */
export function describe(
  loaded: LoadedDeployment,
  { origins, isService }: Pick<Deployment, 'origins' | 'isService'>,
): Deployment {
  return {
    name: 'service-mcp',
    version: loaded.version,
    dataDir: loaded.dataDir,
    packagesFrom: loaded.packagesFrom,
    singleOwner: !loaded.plugins.some(providesAuthenticator),
    hasPages: loaded.transports.some(({ hasPages }) => hasPages === true),
    processId: newProcessId(),
    isService,
    loopback: isOwnMachine(loaded.config.server),
    origins,
  };
}

/** Is the address of the server for its own machine alone? Where a proxy stands before it, others reach a loopback address too; one that passes Host on needs `allowed_hosts`. */
export function isOwnMachine(server: CoreConfig['server']): boolean {
  const { host, base_url, mcp_url, web_url, trusted_proxies, allowed_hosts } = server;
  const urls = [base_url, mcp_url, web_url].flatMap((url) =>
    url === undefined ? [] : [new URL(url).hostname],
  );
  const names = [...urls, ...allowed_hosts.map((name) => name.replace(/:\d+$/, ''))];
  return trusted_proxies.length === 0 && [host, ...names].every(isLoopback);
}

function providesAuthenticator(plugin: Plugin): boolean {
  return plugin.services.some(({ target }) => target.key === Authenticator.key);
}
