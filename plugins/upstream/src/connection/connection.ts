import { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { givenUp, lostConnection, notTheService } from './failures.js';
import { refusalOf } from './refusals.js';

/** One request to the service. */
export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** A stream that lasts: no wait for its head or its next part is too long. */
  readonly endless?: boolean;
  /** A look whether the service is there: no news of it to others. */
  readonly probe?: boolean;
  /** Told the headers of the answer, whatever its status. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** The HTTP side of the service, with connections that are kept. Credentials go where `base` says and nowhere else. */
export interface Connection {
  readonly base: string;
  /**
   * Sends a request to an address under `base`. Resolves to an answer of JSON or a stream of events, or an empty one;
   * throws a ServiceError for all else, a redirect among it, which is never followed.
   */
  send(url: string, ask: Ask): Promise<Response>;
  /** Calls back when the service has answered, whatever it said, or did not. */
  onOutcome(listener: (answered: boolean) => void): void;
  close(): Promise<void>;
}

interface Options {
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
}

/** The most bytes of an answer, far above what a call may carry; a stream has no end. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BYTES_OF_REFUSAL = 64 * 1024;

export function connect(base: string, options: Options): Connection {
  const { connectTimeoutMs, answerTimeoutMs } = options;
  const agent = new Agent({ connect: { timeout: connectTimeoutMs } });
  const listeners: Array<(answered: boolean) => void> = [];
  const tell = (ask: Ask, answered: boolean): void => {
    if (!ask.probe) for (const listener of listeners) listener(answered);
  };

  async function receive(url: string, ask: Ask): Promise<Dispatcher.ResponseData> {
    const timeout = ask.endless ? 0 : answerTimeoutMs;
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: ask.method ?? 'GET',
        headers: ask.headers ?? {},
        body: ask.body ?? null,
        signal: ask.signal ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      });
      tell(ask, true);
      return answer;
    } catch (thrown) {
      if (ask.signal?.aborted) throw givenUp(base, ask.signal);
      tell(ask, false);
      throw lostConnection(base, thrown);
    }
  }

  async function read(
    body: Dispatcher.ResponseData['body'],
    headers: Headers,
    most: number,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      // Known to be small, as most are: twice as fast.
      if (Number(headers.get('content-length') ?? Infinity) <= most) return await body.text();
      for await (const part of body) {
        parts.push(part as Buffer); // no encoding is set on it
        bytes += (part as Buffer).length;
        if (bytes > most) break; // which destroys the body
      }
    } catch (thrown) {
      throw signal?.aborted ? givenUp(base, signal) : lostConnection(base, thrown);
    }
    return Buffer.concat(parts).toString('utf8', 0, most);
  }

  return {
    base,
    async send(url, ask) {
      if (!url.startsWith(`${base}/`)) throw new Error('an address that is not of the service');
      const { statusCode: status, headers: fields, body } = await receive(url, ask);
      const headers = headersOf(fields);
      ask.onHeaders?.(headers);
      if (status < 200 || status >= 300) {
        throw refusalOf(base, {
          status,
          headers,
          text: await read(body, headers, MOST_BYTES_OF_REFUSAL, ask.signal),
        });
      }
      if (status === 202 || status === 204) {
        await body.dump();
        return new Response(null, { status });
      }
      const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (type === 'text/event-stream') {
        // Node's stream of bytes is one of the web's by another declaration.
        return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
          headers: { 'content-type': type },
        });
      }
      if (type === 'application/json') {
        const text = await read(body, headers, MOST_BYTES, ask.signal);
        return new Response(text, { headers: { 'content-type': type } });
      }
      body.on('error', () => undefined).destroy();
      throw notTheService(base, 'sends no JSON');
    },
    onOutcome: (listener) => void listeners.push(listener),
    close: () => agent.destroy(),
  };
}

function headersOf(fields: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

/** The JSON document at a path of the service. */
export async function readJson(
  { base, send }: Pick<Connection, 'base' | 'send'>,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await send(`${base}${path}`, { signal, probe: true });
  try {
    return await response.json();
  } catch (thrown) {
    throw notTheService(base, 'sends no JSON', thrown);
  }
}
