import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, buildConnector, fetch as fetchBy } from 'undici';

const FIXTURES = fileURLToPath(new URL('../../../oauth/fixtures/', import.meta.url));
/** Trusted by clients of the proxy; for memory.test and every name under it. */
export const CERTIFICATE = readFileSync(`${FIXTURES}proxy.crt`, 'utf8');
export const PRIVATE_KEY = readFileSync(`${FIXTURES}proxy.key`, 'utf8');

export interface Proxy {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A reverse proxy that ends TLS for some host names and hands every request on to one port of this machine. As many
 * do, it calls the service at its bound address, and sends the rest in X-Forwarded-Host, -Proto and -For.
 */
export async function startProxy(names: readonly string[], upstream: () => number): Promise<Proxy> {
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (req, res) => {
    const { host = '' } = req.headers;
    if (!names.includes(host)) return void res.writeHead(421).end();
    const port = upstream();
    const onwards = request(
      {
        port,
        host: '127.0.0.1',
        method: req.method,
        path: req.url,
        headers: {
          ...req.headers,
          host: `127.0.0.1:${port}`,
          'x-forwarded-host': host,
          'x-forwarded-proto': 'https',
          'x-forwarded-for': [req.headers['x-forwarded-for'] ?? [], req.socket.remoteAddress ?? '']
            .flat()
            .join(', '),
        },
      },
      (answer) => {
        // How long the service keeps a connection says nothing about this one, which Node ends after five seconds.
        const { connection: _connection, 'keep-alive': _keptFor, ...headers } = answer.headers;
        res.writeHead(answer.statusCode ?? 502, headers);
        answer.pipe(res);
      },
    );
    onwards.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()));
    res.on('close', () => onwards.destroy());
    req.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A `fetch` for which every name leads to one port of this machine; TLS is checked against the name. */
export function fetchBehind(port: number): typeof fetch {
  const connect = buildConnector({ ca: CERTIFICATE });
  const dispatcher = new Agent({
    connect: (options, done) =>
      connect(
        {
          ...options,
          hostname: '127.0.0.1',
          port: String(port),
          servername: options.servername ?? options.hostname,
        },
        done,
      ),
  });
  const behind = async (input: string | URL, init: object = {}): Promise<Response> => {
    const { status, headers, body } = await fetchBy(String(input), { ...init, dispatcher });
    // Clients ask whether it is an instance of the runtime's own class.
    return new Response(body as ReadableStream | null, { status, headers: [...headers] });
  };
  return behind as typeof fetch;
}
