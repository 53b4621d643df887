import type { ErrorCode as ServiceErrorCode } from '@service-mcp/core';

/** Codes of the service's error table, and three of this client: UNREACHABLE, UNEXPECTED_REPLY, TOOLSET_MISMATCH. */
export type ErrorCode =
  | ServiceErrorCode
  | 'UNREACHABLE'
  | 'UNEXPECTED_REPLY'
  | 'TOOLSET_MISMATCH'
  | (string & Record<never, never>);

/** The failure of a call. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly code: ErrorCode;
  /** Of INVALID_ARGUMENT: `{ issues: [{ path, message }] }`, with JSON Pointers. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The wait before the next try that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      readonly details?: Readonly<Record<string, unknown>> | undefined;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.details = more.details;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}
