import type { AddressInfo } from 'node:net';
import { createHttpServer, type HttpServer, type HttpSettings } from '../http/app.js';
import { parseNetworks } from '../http/forwarded.js';
import { BootError } from './boot-error.js';
import type { CoreConfig } from './config.js';
import type { createOrigins } from './origins.js';

interface Parts extends Pick<HttpSettings, 'version' | 'bodyBytes' | 'log' | 'challenge' | 'ready'> {
  readonly origins: ReturnType<typeof createOrigins>;
  /** True where every call needs a credential of its client. */
  readonly needsCredential: boolean;
}

/** The HTTP server that a section `server` describes, for a host and for a gateway. Throws BootError. */
export interface ConfiguredHttp extends Pick<HttpServer, 'mount' | 'close' | 'refuse'> {
  /** Binds and serves; resolves to where. */
  listen(): Promise<{
    readonly url: string;
    readonly address: { readonly host: string; readonly port: number };
  }>;
}

export function openHttp(
  server: CoreConfig['server'],
  { origins, needsCredential, ...parts }: Parts,
): ConfiguredHttp {
  const trustedProxies = parseNetworks(server.trusted_proxies);
  if (!trustedProxies) {
    throw new BootError(
      'server.trusted_proxies',
      `${server.trusted_proxies.join(', ')}: one of these is not an address or network`,
      'Write addresses, networks such as 10.0.0.0/8, or loopback.',
    );
  }
  const { host, port, allowed_hosts: allowedHosts } = server;
  const http = createHttpServer({
    ...parts,
    host,
    port,
    origins: origins.origins,
    allowedHosts,
    loopbackPages: server.loopback_pages ?? (needsCredential ? 'mcp' : 'none'),
    trustedProxies,
  });
  return {
    mount: http.mount,
    refuse: () => http.refuse(),
    close: (abort, waits) => http.close(abort, waits),
    async listen() {
      const bound: AddressInfo = await http.listen().catch((error: NodeJS.ErrnoException) => {
        throw new BootError(
          `${host}:${port}`,
          error.code === 'EADDRINUSE'
            ? 'another process listens there'
            : `it cannot be bound (${error.code ?? error.message})`,
          'Choose another with --host and --port, or stop the other process.',
          error,
        );
      });
      origins.bind(bound);
      http.open();
      return { url: http.mount.baseUrl(), address: { host: bound.address, port: bound.port } };
    },
  };
}
