import assert from 'node:assert/strict';
import type { ErrorBody } from '@service-mcp/core';

/** The envelope of interface.md 2. */
export interface Envelope {
  readonly success: boolean;
  readonly data: Record<string, unknown> | null;
  readonly error: ErrorBody | null;
  readonly metadata: {
    readonly request_id: string;
    readonly timestamp: string;
    readonly duration_ms: number;
    readonly version: string;
  };
}

export interface Reply<T = Envelope> {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** The body as JSON; `undefined` when it is not JSON. */
  readonly body: T;
}

export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request: a string body goes as it is, anything else as JSON. */
export async function send<T = Envelope>(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
): Promise<Reply<T>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text,
    body: parse(text) as T,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface RpcReply {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly code: string; readonly details?: Record<string, unknown> };
  };
}

/** One JSON-RPC request to /api/v1/rpc. */
export function rpc(url: string, method: string, params?: object, id: unknown = 1): Promise<Reply<RpcReply>> {
  const body = { jsonrpc: '2.0', id, method, ...(params && { params }) };
  return send<RpcReply>(url, 'POST', '/api/v1/rpc', { body });
}

export const INITIALIZE = {
  protocolVersion: '2024-11-05',
  capabilities: {},
  clientInfo: { name: 'spec', version: '1' },
} as const;

/** The first path of `details.issues`, and how many there are. */
export function issuePath(error: { readonly details?: unknown } | null | undefined): string | undefined {
  return (error?.details as { issues?: { path: string }[] } | undefined)?.issues?.[0]?.path;
}

export const PAGE_FIELDS = ['has_next', 'has_prev', 'items', 'page', 'per_page', 'total'] as const;
export const UUIDV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const RFC3339_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Well-formed, and no record's. */
export const NOBODY = '01890000-0000-7000-8000-000000000000';

/** The data of an envelope; fails where there is none. */
export function dataOf<T>({ data, error }: Envelope): T {
  assert.ok(data, JSON.stringify(error));
  return data as T; // tests say what they expect
}

/** The result of a JSON-RPC reply; fails where there is none. */
export function resultOf<T>({ result, error }: RpcReply): T {
  assert.ok(result, JSON.stringify(error));
  return result as T; // as above
}
