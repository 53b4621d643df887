import { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { abortError, connectionError, notTheService } from './connection-errors.js';
import { errorFromResponse } from './error-response.js';

/** A request to the service. */
export interface ServiceRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** A long-lived stream: no timeouts. */
  readonly endless?: boolean;
  /** A health check: its outcome is not reported to listeners. */
  readonly probe?: boolean;
  /** Called with the response headers, for every status. */
  readonly onHeaders?: (headers: Headers) => void;
}

/** HTTP client of the service with keep-alive. Sends credentials to `base` only. */
export interface Connection {
  readonly base: string;
  /**
   * Sends a request to an address under `base`. Resolves to a JSON, event stream or empty response; throws a
   * ServiceError for anything else. Redirects are not followed.
   */
  send(url: string, ask: ServiceRequest): Promise<Response>;
  /** Calls back after each request: did the service respond, with any status? */
  onOutcome(listener: (responded: boolean) => void): void;
  close(): Promise<void>;
}

interface Options {
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
}

/** Far above the size of any call's result. Streams are unlimited. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

export function connect(base: string, { connectTimeoutMs, answerTimeoutMs }: Options): Connection {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs } });
  const listeners: Array<(responded: boolean) => void> = [];
  const report = (options: ServiceRequest, responded: boolean): void => {
    if (!options.probe) for (const listener of listeners) listener(responded);
  };

  async function receive(url: string, options: ServiceRequest): Promise<Dispatcher.ResponseData> {
    const timeout = options.endless ? 0 : answerTimeoutMs;
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        body: options.body ?? null,
        signal: options.signal ?? null,
        headersTimeout: timeout,
        bodyTimeout: timeout,
      });
      report(options, true);
      return response;
    } catch (thrown) {
      if (options.signal?.aborted) throw abortError(base, options.signal);
      report(options, false);
      throw connectionError(base, thrown);
    }
  }

  async function read(
    body: Dispatcher.ResponseData['body'],
    headers: Headers,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    try {
      // The usual small response: twice as fast.
      if (Number(headers.get('content-length') ?? Infinity) <= maxBytes) return await body.text();
      for await (const part of body) {
        parts.push(part as Buffer); // no encoding is set
        bytes += (part as Buffer).length;
        if (bytes > maxBytes) break; // which destroys the body
      }
    } catch (thrown) {
      throw signal?.aborted ? abortError(base, signal) : connectionError(base, thrown);
    }
    return Buffer.concat(parts).toString('utf8', 0, maxBytes);
  }

  return {
    base,
    async send(url, options) {
      if (!url.startsWith(`${base}/`))
        throw new Error('the address is not under the base address of the service');
      const { statusCode: status, headers: fields, body } = await receive(url, options);
      const headers = headersOf(fields);
      options.onHeaders?.(headers);
      if (status < 200 || status >= 300) {
        throw errorFromResponse(base, {
          status,
          headers,
          text: await read(body, headers, MAX_ERROR_BYTES, options.signal),
        });
      }
      if (status === 202 || status === 204) {
        await body.dump();
        return new Response(null, { status });
      }
      const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (type === 'text/event-stream') {
        // Node's and the DOM's type declarations of the same stream differ.
        return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, {
          headers: { 'content-type': type },
        });
      }
      if (type === 'application/json') {
        const text = await read(body, headers, MAX_BYTES, options.signal);
        return new Response(text, { headers: { 'content-type': type } });
      }
      body.on('error', () => undefined).destroy();
      throw notTheService(base, 'does not send JSON');
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

/** Reads a JSON document of the service. */
export async function readJson(
  { base, send }: Pick<Connection, 'base' | 'send'>,
  path: string,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await send(`${base}${path}`, { signal, probe: true });
  try {
    return await response.json();
  } catch (thrown) {
    throw notTheService(base, 'does not send JSON', thrown);
  }
}
