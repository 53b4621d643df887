import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server at the address of the service. */
export interface Peer {
  readonly url: string;
  /** Headers and bodies of the requests to MCP endpoints. */
  readonly asked: Array<{ readonly headers: IncomingMessage['headers']; readonly body: string }>;
  close(): Promise<void>;
}

/** An HTTP server that handles every request to an MCP endpoint with `answer`. */
export async function answering(
  answer: (res: ServerResponse, body: string) => void,
  other: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => void res.writeHead(404).end(),
): Promise<Peer> {
  const asked: Array<{ headers: IncomingMessage['headers']; body: string }> = [];
  const server = createServer((req, res) => {
    if (!/^\/(?:mcp|client)\b/.test(req.url ?? '')) return other(req, res);
    let body = '';
    req.on('data', (part: Buffer) => (body += part.toString()));
    req.on('end', () => {
      asked.push({ headers: req.headers, body });
      answer(res, body);
    });
  });
  return { asked, ...(await listening(server, () => server.closeAllConnections())) };
}

/** A TCP server that handles every connection with the given function. */
export async function accepting(connected: (socket: Socket) => void): Promise<Peer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    connected(socket);
  });
  const end = () => sockets.forEach((socket) => socket.destroy());
  return { asked: [], ...(await listening(server, end)) };
}

async function listening(server: Server, end: () => void) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        end();
      }),
  };
}

/** A JSON-RPC result for the request in `body`. */
export function resultFor(body: string, result: object): string {
  const { id } = JSON.parse(body) as { id: number };
  return JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
}
