import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface Ask {
  readonly method?: string;
  /** Any header, Host and Origin too; a list is sent as so many lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A request as no browser would let a page send it. Every connection is a new one. */
export function ask(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...length, ...headers } as Record<string, string>,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, text, json: <T>() => JSON.parse(text) as T });
        });
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const JSON_BODY = { 'content-type': 'application/json' };
export const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' };

/** Posts JSON. */
export function post(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(url, path, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: text });
}

/** Bytes as they are, and everything that comes back until the other end closes or `forMs` have passed. */
export function speak(url: string, bytes: string | Buffer, forMs = 3000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    const timer = setTimeout(done, forMs);
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    socket.on('error', done);
    socket.on('close', done);
  });
}

/** The code of a failure, in whatever form the endpoint fails. */
export function codeOf({ text }: Answer): string | undefined {
  try {
    const { error } = JSON.parse(text) as {
      error?: string | { code?: string | number; data?: { code?: string } } | null;
    };
    if (typeof error === 'string') return error;
    return error?.data?.code ?? error?.code?.toString();
  } catch {
    return undefined;
  }
}
