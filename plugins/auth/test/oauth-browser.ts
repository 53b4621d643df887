import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  json<T = Record<string, unknown>>(): T;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request to a local port with the address of the URL in its headers, like a proxy. */
export function send(port: number, url: string, ask: Ask = {}): Promise<Answer> {
  const { host, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path: pathname + search,
        method: ask.method ?? 'GET',
        headers: {
          host,
          ...ask.headers,
          ...(ask.body !== undefined && { 'content-length': Buffer.byteLength(ask.body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, json: <T>() => JSON.parse(text) as T });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(ask.body);
  });
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/** A browser with a cookie jar by host and path. It follows no redirect by itself and runs no script. */
export class Browser {
  readonly #port: number;
  #cookies: Cookie[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(url, { headers: { accept: 'text/html', ...headers } });
  }

  post(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(url, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(url).origin,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
    });
  }

  cookies(url: string): string {
    const { host, pathname } = new URL(url);
    return this.#cookies
      .filter(
        (one) =>
          one.host === host && (pathname === one.path || pathname.startsWith(one.path.replace(/\/?$/, '/'))),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  async #send(url: string, ask: Ask): Promise<Answer> {
    const cookie = this.cookies(url);
    const answer = await send(this.#port, url, {
      ...ask,
      headers: { ...ask.headers, ...(cookie && { cookie }) },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line, url);
    return answer;
  }

  #keep(line: string, url: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const { host } = new URL(url);
    this.#cookies = this.#cookies.filter(
      (one) => !(one.name === name && one.host === host && one.path === path),
    );
    const isGone = attributes.some((one) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(one));
    if (!isGone) this.#cookies.push({ name, value, host, path });
  }
}

export function locationOf(answer: Answer): string {
  const { location } = answer.headers;
  assert.equal(typeof location, 'string', answer.text);
  return location as string;
}
