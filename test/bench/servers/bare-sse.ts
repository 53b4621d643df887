import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveParent } from './parent.js';

/** The least one would write by hand: a set of open responses, and a POST that writes one event to each. */
const readers = new Set<ServerResponse>();
let last = 0;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    last += 1;
    const event = `id: ${last}\nevent: workspace.created\ndata: {}\n\n`;
    for (const reader of readers) reader.write(event);
    request.resume();
    response.end('{}');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  response.write('event: stream.opened\ndata: {}\n\n');
  readers.add(response);
  response.once('close', () => readers.delete(response));
});
server.listen(0, '127.0.0.1', () => {
  serveParent((server.address() as AddressInfo).port, () => server.closeAllConnections());
});
