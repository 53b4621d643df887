import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './parent.js';

/** The least that a reverse proxy does: both ways as the bytes come, on kept connections, to the address of the first argument. */
const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const server = createServer((req, res) => {
  const { method, url: path, headers } = req;
  const sent = request(
    { host: upstream.hostname, port: upstream.port, method, path, headers, agent },
    (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    },
  );
  sent.on('error', () => res.destroy());
  req.pipe(sent);
});
server.listen(0, '127.0.0.1', () => {
  serveParent((server.address() as AddressInfo).port, () => server.closeAllConnections());
});
