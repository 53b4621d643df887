import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP proxy on loopback that can lose connections as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Existing connections carry nothing any more, neither data nor an end. New ones work, unless `everything` is set. */
  silence(everything?: boolean): void;
  /** Ends every connection and refuses new ones, as a server that was stopped. */
  refuse(): Promise<void>;
  /** Undoes `refuse`, and `silence(true)` for new connections. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface Pair {
  readonly sockets: readonly [Socket, Socket];
  isSilent: boolean;
}

/** Starts a proxy to a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    const pair: Pair = { sockets: [near, far], isSilent };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => void (pair.isSilent || to.write(chunk)));
      from.on('error', () => undefined);
      from.on('close', () => {
        if (pair.isSilent) return;
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo; // of a TCP server
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const pair of pairs) for (const socket of pair.sockets) socket.destroy();
      pairs.clear();
    });
  return {
    port,
    silence(everything = false) {
      isSilent = everything;
      for (const pair of pairs) pair.isSilent = true;
    },
    refuse: stop,
    async resume() {
      isSilent = false;
      if (!server.listening) await listen(port);
    },
    async close() {
      if (server.listening) await stop();
    },
  };
}
