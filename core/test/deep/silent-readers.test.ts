import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { defineTransport } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';

/** More than the kernel takes for a client that reads nothing. */
const ANSWER = 'x'.repeat(32 * 1024 * 1024);

/** The server's ends of connections, by the ports of the clients. */
const connections = new Map<number | undefined, Socket>();

const large = defineTransport({
  id: 'large',
  description: 'For tests.',
  api: '^1',
  mount({ http }) {
    http.router.get('/large', (ctx) => {
      connections.set(ctx.req.socket.remotePort, ctx.req.socket);
      ctx.body = ANSWER;
    });
    http.router.get('/small', (ctx) => {
      connections.set(ctx.req.socket.remotePort, ctx.req.socket);
      ctx.body = 'small';
    });
  },
});

const LARGE = 'GET /large HTTP/1.1\r\nHOST\r\n\r\n';
const SMALL = 'GET /small HTTP/1.1\r\nHOST\r\n\r\n';
const LAST = 'GET /small HTTP/1.1\r\nHOST\r\nConnection: close\r\n\r\n';

describe('a client that reads nothing', () => {
  let host: TestHost;
  const sockets: Socket[] = [];
  /** All wait for limits of a minute, and at once. */
  let nothing: Promise<unknown>;
  let slowly: Promise<string>;
  let half: Promise<string>;
  before(async () => {
    host = await testHost({ transports: [large], workers: false });
    nothing = readNothing();
    slowly = readSlowly();
    half = sendHalf();
    await Promise.allSettled([nothing, slowly, half]);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await host.stop();
  });

  const open = (text: string): Socket => {
    const { hostname, port } = new URL(host.url as string);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => undefined); // the expected reset
    socket.write(text.replaceAll('HOST', `Host: ${hostname}:${port}`));
    sockets.push(socket);
    return socket;
  };

  /** Until the server has closed its end. */
  async function closed({ localPort }: Socket): Promise<void> {
    while (!connections.has(localPort)) await new Promise((resolve) => setTimeout(resolve, 10));
    const end = connections.get(localPort) as Socket;
    if (!end.closed) await once(end, 'close');
  }

  async function readNothing(): Promise<void> {
    const socket = open(LARGE);
    await once(socket, 'connect');
    await closed(socket);
  }

  /** The end of the last answer. */
  async function readSlowly(): Promise<string> {
    const socket = open(LARGE + LAST);
    let bytes = 0;
    let last = '';
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      last = chunk.toString('latin1').slice(-5);
      if (bytes < 8 * 1024 * 1024) return;
      bytes -= 8 * 1024 * 1024;
      socket.pause();
      setTimeout(() => socket.resume(), 20_000);
    });
    await once(socket, 'end');
    return last;
  }

  /** The answer to the half request. */
  async function sendHalf(): Promise<string> {
    const socket = open(SMALL);
    await once(socket, 'data');
    socket.write('GET / HT');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    await closed(socket);
    return answer.toString();
  }

  it('holds neither an answer nor a connection for ever', () => nothing);

  it('gets the whole answer where it reads now and then', async () => {
    assert.equal(await slowly, 'small');
  });

  it('and sends half of a request does not keep its connection after the answer to that', async () => {
    assert.match(await half, /^HTTP\/1\.1 408 /);
  });
});
