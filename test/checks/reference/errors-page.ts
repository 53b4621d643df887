import { ERRORS, type ErrorCode } from '@service-mcp/core';
import { code, page, table } from './markdown.js';

/** When each code is returned, and the remedy; a code without a line does not compile. */
const MEANING: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: 'An argument is missing, unknown or wrong. `details.issues` has the path of each.',
  PARSE_ERROR: 'The body is not JSON. Send UTF-8 JSON.',
  INVALID_REQUEST: 'The request has a wrong shape: a batch, or no JSON-RPC object.',
  UNAUTHENTICATED: 'There is no valid credential. Send a key.',
  PERMISSION_DENIED: 'The scope or the role is not sufficient. Ask an owner or admin of the workspace.',
  NOT_FOUND: 'It does not exist, or you cannot see it. The message names the tool that lists the ids.',
  UNKNOWN_TOOL: 'No such tool in the toolset of this request. Call `tools/list`.',
  UNKNOWN_METHOD: 'The method does not exist.',
  UNKNOWN_SESSION: 'The session is unknown or has ended. Send `initialize` again.',
  METHOD_NOT_ALLOWED: 'The address takes other methods; the header `Allow` names them.',
  CONFLICT: 'It conflicts with existing data, such as a name that is in use.',
  PAYLOAD_TOO_LARGE: 'The body is over the limit of the route. Send less at a time.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`, not compressed.',
  MISDIRECTED: 'The service does not serve this `Host`. The operator can allow it.',
  RATE_LIMITED: 'Too many requests. Wait for `Retry-After` seconds.',
  RESOURCE_EXHAUSTED:
    'A quota of the workspace is used up. Delete something, or ask the operator for more; waiting does not help.',
  INTERNAL: 'The service failed. Give `details.request_id` to the operator.',
  UNAVAILABLE: 'A part of the service is unavailable, or cannot do this over this connection. Try later.',
  DEADLINE_EXCEEDED: 'It took too long, or was cancelled. Ask for less.',
};

const MCP = {
  result: 'result with `isError`',
  protocol: 'protocol error',
  http: 'HTTP status',
} as const;

export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([name, row]) => [
    code(name),
    String(row.http),
    String(row.rpc),
    MCP[row.mcp],
    MEANING[name as ErrorCode], // the keys of ERRORS are its codes
  ]);
  return page(
    'Errors',
    'The same failure has the same code on every surface. `error` is `{code, message, details?}`; the message says what to do next. An MCP result with `isError` carries it in `_meta["service-mcp/error"]`, a JSON-RPC error in `data`.',
    table(['code', 'HTTP', 'JSON-RPC', 'MCP', 'when, and what to do'], rows),
  );
}
