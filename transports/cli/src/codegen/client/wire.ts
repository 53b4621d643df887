import { ServiceError, type ErrorCode } from './error.js';

/** Address, key and timeout of the service. */
export interface ConnectionOptions {
  /** Address of the service, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The API key, or a function that returns one for each request; undefined where the service needs none. */
  readonly key?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The timeout of one request in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's own. */
  readonly timeoutMs?: number | undefined;
}

const PROTOCOL_VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

/** One MCP request, as one POST of the stateless revision. Resolves to its result; throws only ServiceError. */
export async function post(
  connection: ConnectionOptions,
  toolset: string,
  request: { readonly method: string; readonly name?: string; readonly params: object },
  options: CallOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { method, name, params } = request;
  const key = typeof connection.key === 'function' ? await connection.key() : connection.key;
  const meta = {
    [`${META}protocolVersion`]: PROTOCOL_VERSION,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: 'service-mcp-codegen', version: '1' },
  };
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs ?? 60_000;
  const timeout = AbortSignal.timeout(timeoutMs);
  const { signal = timeout } = options;
  let response: Response;
  let text: string;
  try {
    response = await (connection.fetch ?? globalThis.fetch)(endpoint(connection.url), {
      method: 'POST',
      redirect: 'manual', // the key belongs to this address alone
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL_VERSION,
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': headerText(name) }),
        'x-service-toolset': toolset,
        ...(key !== undefined && { 'x-service-api-key': key }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...record(record(params)?.['_meta']), ...meta } },
      }),
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    const why = timeout.aborted ? `did not answer within ${timeoutMs} ms` : 'cannot be reached';
    throw new ServiceError('UNREACHABLE', `The service at ${connection.url} ${why}.`, { cause });
  }
  return resultOf(connection.url, response, text);
}

/** The MCP endpoint of a service, from its own address or that of the endpoint. */
function endpoint(address: string): string {
  const url = new URL(address);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  url.pathname = path.endsWith('/mcp') ? path : `${path}/mcp`;
  return url.href;
}

/** A name as the value of a header. */
function headerText(name: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?')) return name;
  const bytes = Array.from(new TextEncoder().encode(name), (byte) => String.fromCodePoint(byte));
  return `=?base64?${btoa(bytes.join(''))}?=`;
}

function resultOf(url: string, response: Response, text: string): Readonly<Record<string, unknown>> {
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const reply = streamed ? lastEvent(text) : parsed(text);
  const { status } = response;
  const { result, error } = record(reply) ?? {};
  const about = { status, retryAfterMs: retryAfter(response.headers.get('retry-after')) };
  const refused = record(error);
  if (refused) throw refusal(refused, about);
  const value = record(result);
  if (value && response.ok) return value;
  const code = CODE_OF_STATUS[status] ?? 'UNEXPECTED_REPLY';
  throw new ServiceError(code, `The server at ${url} does not speak MCP (HTTP ${status}).`, about);
}

/** Codes for answers of a proxy in front of the service. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Codes for errors of JSON-RPC that have only a number. */
const CODE_OF_NUMBER: Readonly<Record<number, ErrorCode>> = {
  [-32700]: 'PARSE_ERROR',
  [-32600]: 'INVALID_REQUEST',
  [-32601]: 'UNKNOWN_METHOD',
  [-32602]: 'INVALID_ARGUMENT',
  [-32603]: 'INTERNAL',
};

function refusal(
  { code: number, message, data }: Readonly<Record<string, unknown>>,
  about: { readonly status: number; readonly retryAfterMs: number | undefined },
): ServiceError {
  const { code, details } = record(data) ?? {};
  const known = CODE_OF_STATUS[about.status] ?? CODE_OF_NUMBER[Number(number)] ?? 'INTERNAL';
  return new ServiceError(typeof code === 'string' ? code : known, String(message), {
    ...about,
    details: record(details),
  });
}

/** The answer is the last message of a stream, after its notifications. */
function lastEvent(text: string): unknown {
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n'),
  );
  return parsed(events.reduce((last, data) => (data === '' ? last : data), ''));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object; undefined for anything else. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // any object is
    : undefined;
}

/** Retry-After as milliseconds: seconds, or a date. */
export function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
