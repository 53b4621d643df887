import { shownPath } from './shown-path.js';

/** One row: how an error code reads on each wire (docs/reference/errors.md lists them). */
export interface ErrorRow {
  readonly http: number;
  readonly rpc: number;
  /** `result`: an MCP tool result with `isError`; `protocol`: a JSON-RPC error; `http`: the HTTP status itself. */
  readonly mcp: 'result' | 'protocol' | 'http';
}

/** Every code that a caller can meet. A code without a row does not compile. */
export const ERRORS = {
  INVALID_ARGUMENT: { http: 400, rpc: -32602, mcp: 'result' },
  PARSE_ERROR: { http: 400, rpc: -32700, mcp: 'protocol' },
  INVALID_REQUEST: { http: 400, rpc: -32600, mcp: 'protocol' },
  UNAUTHENTICATED: { http: 401, rpc: -32011, mcp: 'http' },
  PERMISSION_DENIED: { http: 403, rpc: -32003, mcp: 'result' },
  NOT_FOUND: { http: 404, rpc: -32004, mcp: 'result' },
  UNKNOWN_TOOL: { http: 404, rpc: -32602, mcp: 'protocol' },
  UNKNOWN_METHOD: { http: 404, rpc: -32601, mcp: 'protocol' },
  UNKNOWN_SESSION: { http: 404, rpc: -32001, mcp: 'http' },
  METHOD_NOT_ALLOWED: { http: 405, rpc: -32600, mcp: 'http' },
  CONFLICT: { http: 409, rpc: -32009, mcp: 'result' },
  PAYLOAD_TOO_LARGE: { http: 413, rpc: -32013, mcp: 'http' },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, rpc: -32015, mcp: 'http' },
  MISDIRECTED: { http: 421, rpc: -32041, mcp: 'http' },
  RATE_LIMITED: { http: 429, rpc: -32029, mcp: 'result' },
  RESOURCE_EXHAUSTED: { http: 429, rpc: -32030, mcp: 'result' },
  INTERNAL: { http: 500, rpc: -32603, mcp: 'result' },
  UNAVAILABLE: { http: 503, rpc: -32010, mcp: 'result' },
  DEADLINE_EXCEEDED: { http: 504, rpc: -32008, mcp: 'result' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** One thing wrong with an argument: `path` is a JSON Pointer into the arguments (`/limit`). */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A failure as callers see it, the same on every surface. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const BRAND = Symbol.for('service-mcp:error');

/**
 * The one error that reaches a caller as it is. `message` says what to do next and never holds
 * a stack, SQL, a path of the host or the text of a foreign error; those belong into `cause`,
 * which is logged and never sent.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly [BRAND] = true;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    if (options.details) this.details = options.details;
  }

  /** By brand, so that an error of a second copy of this package (beside a plugin, say) is known too. */
  static override [Symbol.hasInstance](value: unknown): value is ServiceError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  get body(): ErrorBody {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }
}

/** INVALID_ARGUMENT for one field; `path` is a JSON Pointer (`/workspace_id`). */
export function invalidArgument(path: string, message: string): ServiceError {
  const shown = shownPath(path);
  const field = shown.slice(1).replaceAll('/', '.') || 'the request';
  return new ServiceError('INVALID_ARGUMENT', `${field}: ${message}`, {
    details: { issues: [{ path: shown, message }] satisfies Issue[] },
  });
}

/** PAYLOAD_TOO_LARGE for a body of more than so many bytes. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', `The body is over ${limit} bytes. Send less at a time.`, {
    details: { limit },
  });
}

/** How to get ids, for a message: a tool that changes something is not called for them. */
export function howToGetIds(listedBy: string): string {
  return listedBy.includes(' ') ? `the ids come from ${listedBy}` : `call ${listedBy} for the ids`;
}

/** NOT_FOUND in the words every resource uses, whether it is absent or only invisible to the caller. */
export function notFound(resource: string, id: string, listedBy?: string): ServiceError {
  const hint = listedBy === undefined ? '' : howToGetIds(listedBy);
  return new ServiceError(
    'NOT_FOUND',
    `There is no ${resource} ${id.slice(0, 64)} that you may see.${hint === '' ? '' : ` ${hint[0]?.toUpperCase()}${hint.slice(1)}.`}`,
  );
}

/** Does the answer to this failure say how to authenticate, or which scope to ask for? */
export function isChallenged({ code, details }: ServiceError): boolean {
  return (
    code === 'UNAUTHENTICATED' || (code === 'PERMISSION_DENIED' && typeof details?.['scope'] === 'string')
  );
}

/** Whole seconds after which the same request may succeed; undefined where the error does not say. */
export function retryAfterOf({ details }: ServiceError): number | undefined {
  const seconds = details?.['retry_after'];
  return typeof seconds === 'number' ? seconds : undefined;
}

/** Tells the transport of a call that failed when to try again. */
export function remarkRetry(
  call: { readonly remark?: ((remark: { readonly retryAfter: number }) => void) | undefined },
  error: ServiceError,
): void {
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) call.remark?.({ retryAfter });
}

/**
 * The one catch-all: whatever was thrown, as an error a caller may see. Anything that is not a
 * ServiceError becomes INTERNAL with fixed text, in which the request id alone varies; the original stays in `cause`
 * for the log.
 */
export function toServiceError(thrown: unknown, requestId?: string): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const id = requestId === undefined ? '' : ` ${requestId}`;
  return new ServiceError(
    'INTERNAL',
    `The service failed on this call. Try again; if it stays, give the request id${id} to the operator.`,
    { cause: thrown, ...(requestId !== undefined && { details: { request_id: requestId } }) },
  );
}
