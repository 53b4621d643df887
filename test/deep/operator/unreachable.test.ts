import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { runBinary } from '../../command.js';
import { CERTIFICATE, PRIVATE_KEY } from '../../oauth/support/proxy.js';

describe('a service that cannot be reached', () => {
  const servers: Server[] = [];
  const listen = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const serve = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`;
  after(() => servers.map((server) => server.close()));

  const says = async (url: string, expected: RegExp, next: RegExp, code = 2) => {
    const { code: exit, stderr } = await runBinary(['search', 'lamp', '--url', url]);
    assert.equal(exit, code, stderr);
    const { stdout } = await runBinary(['doctor', '--data', '/proc/x', '--url', url]);
    for (const text of [stderr, stdout]) {
      assert.match(text, expected);
      assert.match(text, next);
    }
  };

  it('names a certificate that is not accepted, and what makes it so', async () => {
    const port = await listen(
      createTlsServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) => response.end()),
    );
    await says(`https://localhost:${port}`, /TLS certificate is not accepted/, /NODE_EXTRA_CA_CERTS=FILE/);
  });

  it('names the address that a server redirects to', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(308, { location: 'https://memory.example.org/api' }).end(),
    );
    await says(url, /redirects to https:\/\/memory\.example\.org \(HTTP 308\)/, /--url/);
  });

  it('repeats why a service rejects its name', async () => {
    const message = 'This service does not answer for the Host x.';
    const body = JSON.stringify({ success: false, error: { code: 'MISDIRECTED', message } });
    const url = await serve((_request, response) => response.writeHead(421).end(body));
    await says(url, /does not answer for the Host/, /Host/, 1);
  });

  it('tells another server, one that is silent, and one that is not there apart', async () => {
    await says(await serve((_request, response) => response.end('{}')), /is not this service/, /--url/);
    await says(await serve(() => undefined), /did not answer within 2 s/, /Try again.*serve --port/);
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    await says(`http://127.0.0.1:${port}`, /nothing listens at its port/, /serve --port/);
  });
});
