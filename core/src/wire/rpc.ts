import type { CallContext } from '../caller.js';
import { bodyTooLarge, ERRORS, ServiceError, type ErrorCode } from '../errors.js';
import { BODY_LIMIT } from '../tool.js';

/** The `error` member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> };
}

export function rpcError(error: ServiceError): RpcError {
  const { code, message, details } = error;
  return { code: ERRORS[code].rpc, message, data: { code, ...(details && { details }) } };
}

export type RpcId = string | number | null;

/** A failed JSON-RPC response; `id` is null where the request's could not be read. */
export function rpcFailure(error: ServiceError, id: RpcId = null): object {
  return { jsonrpc: '2.0', id, error: rpcError(error) };
}

/** Failures of the request rather than of the call: they keep their HTTP status; all else that is answered is 200. */
const KEEP_STATUS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'UNKNOWN_SESSION',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED',
  'RATE_LIMITED',
  'RESOURCE_EXHAUSTED',
]);

/** The HTTP status of a failure at `/api/v1/rpc`. */
export function rpcStatus({ code }: ServiceError): number {
  return KEEP_STATUS.has(code) ? ERRORS[code].http : 200;
}

/** Depth of a nested message: far above any schema of this service, far below what overflows a stack. */
export const MAX_DEPTH = 128;

/** One JSON-RPC message that is a request or a notification. */
export interface RpcMessage {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** `undefined`: a notification. */
  readonly id: RpcId | undefined;
}

/**
 * Reads a body as one JSON-RPC request or notification. Throws PARSE_ERROR where there is none and
 * INVALID_REQUEST for a batch, a wrong shape, or a nesting deeper than {@link MAX_DEPTH}. A notification gets no response,
 * so that unusable params of one are dropped.
 */
export function readRpc(body: unknown): RpcMessage {
  if (body === undefined)
    throw new ServiceError('PARSE_ERROR', 'The body is empty: send one JSON-RPC object.');
  if (Array.isArray(body)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'Batches are not served: send each JSON-RPC object as a request of its own.',
    );
  }
  if (!isRecord(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') {
    throw new ServiceError(
      'INVALID_REQUEST',
      'Send one JSON-RPC 2.0 object with jsonrpc "2.0", id, method and params.',
    );
  }
  const { id, method, params = {} } = body;
  if (id !== undefined && id !== null && typeof id !== 'string' && !isInteger(id)) {
    throw new ServiceError('INVALID_REQUEST', 'id must be a string or an integer.');
  }
  const isUsable = isRecord(params) && !isDeeperThan(params, MAX_DEPTH);
  if (id === undefined) return { method, params: isUsable ? params : {}, id };
  if (!isRecord(params)) throw new ServiceError('INVALID_REQUEST', 'params must be an object.');
  if (!isUsable) {
    throw new ServiceError(
      'INVALID_REQUEST',
      `params nest deeper than ${MAX_DEPTH} levels: send a flatter object.`,
    );
  }
  return { method, params, id };
}

/**
 * Throws PAYLOAD_TOO_LARGE for a body over 1 MiB that is not a call of a tool: what a route takes beyond that is for the
 * tools with a limit of their own, which binds their calls.
 */
export function refuseLargeMessage(body: unknown, { bodyBytes }: CallContext): void {
  const isToolCall = isRecord(body) && body['method'] === 'tools/call';
  if (!isToolCall && bodyBytes && bodyBytes() > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT);
}

/** The id to answer a broken request with: its own where that is a string or a number. */
export function idOf(body: unknown): RpcId {
  const id = isRecord(body) ? body['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without recursion, since it guards those that recurse. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
