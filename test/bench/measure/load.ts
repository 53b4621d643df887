import { connect, type Socket } from 'node:net';

/**
 * Keep-alive connections that send one fixed request over and over, each the next when the last was answered.
 * Raw sockets, because on a machine of two cores an HTTP client costs more than the server that it should measure.
 */
export class Load {
  readonly #sockets: readonly Socket[];
  readonly #request: Buffer;

  private constructor(sockets: readonly Socket[], request: Buffer) {
    this.#sockets = sockets;
    this.#request = request;
  }

  static async open(port: number, request: Buffer, connections: number): Promise<Load> {
    const sockets = await Promise.all(
      Array.from(
        { length: connections },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
            socket.once('error', reject);
          }),
      ),
    );
    return new Load(sockets, request);
  }

  /** Keeps all connections busy for so long; resolves with the answers got and the milliseconds it took. */
  async run(ms: number): Promise<{ readonly answers: number; readonly ms: number }> {
    const started = performance.now();
    const counts = await Promise.all(this.#sockets.map((socket) => this.#drive(socket, started + ms)));
    return { answers: counts.reduce((sum, count) => sum + count, 0), ms: performance.now() - started };
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #drive(socket: Socket, until: number): Promise<number> {
    return new Promise((resolve, reject) => {
      let answers = 0;
      let rest: Buffer | undefined;
      const end = (settle: () => void) => {
        socket.off('data', onData).off('error', onGone).off('close', onGone);
        settle();
      };
      const onGone = () => end(() => reject(new Error('the server closed a connection')));
      const onData = (chunk: Buffer) => {
        const received = rest ? Buffer.concat([rest, chunk]) : chunk;
        const answer = readAnswer(received);
        rest = answer === undefined ? received : undefined;
        if (answer === undefined) return;
        if (answer < 200 || answer > 299) {
          return end(() =>
            reject(new Error(`the server answered ${received.toString('utf8').slice(0, 600)}`)),
          );
        }
        answers++;
        if (performance.now() < until) socket.write(this.#request);
        else end(() => resolve(answers));
      };
      socket.on('data', onData).on('error', onGone).on('close', onGone);
      socket.write(this.#request);
    });
  }
}

/** The status of a whole HTTP/1.1 answer; undefined while bytes are missing. */
function readAnswer(received: Buffer): number | undefined {
  const head = received.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const headers = received.toString('latin1', 0, head);
  const length = /content-length: *(\d+)/i.exec(headers)?.[1];
  const body = received.length - head - 4;
  const whole =
    length === undefined
      ? received.toString('latin1', received.length - 5) === '0\r\n\r\n'
      : body >= Number(length);
  return whole ? Number(headers.slice(9, 12)) : undefined;
}

/** The bytes of a request; a body makes it a POST of JSON. */
export function requestBytes(
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
}
