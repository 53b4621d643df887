import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server at the address of the service. */
export interface Peer {
  readonly url: string;
  /** The requests that came, without health checks. */
  readonly asked: IncomingMessage[];
  close(): Promise<void>;
}

/** An HTTP server that handles every request with `answer`. */
export async function answering(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<Peer> {
  const asked: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    if (req.url !== '/health') asked.push(req);
    answer(req, res);
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
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        end();
      }),
  };
}
