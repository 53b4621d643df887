import { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { ServiceError, type ErrorCode } from '@service-mcp/core';
import { abortError, notTheService } from './connection-errors.js';
import { isRecord, serviceError } from './error-response.js';

/** Maps an error of the SDK's client to the error for the caller: the service's own error if there is one. */
export function mapError(base: string, thrown: unknown, signal: AbortSignal): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof ProtocolError) return mapProtocolError(base, thrown);
  if (signal.aborted) return abortError(base, signal);
  // The SDK's text about unreadable results stays in the log.
  const kind = thrown instanceof SdkError ? 'sends an invalid MCP result' : 'sends an invalid MCP message';
  return notTheService(base, kind, thrown);
}

/** Codes of JSON-RPC and MCP errors without a code of ours, such as those of the service's SDK. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [-32700, 'PARSE_ERROR'],
  [-32600, 'INVALID_REQUEST'],
  [-32601, 'UNKNOWN_METHOD'],
  [-32602, 'INVALID_ARGUMENT'],
  [-32002, 'NOT_FOUND'],
]);

function mapProtocolError(base: string, { code, message, data }: ProtocolError): ServiceError {
  const known = isRecord(data) ? serviceError(data['code'], message, data['details']) : undefined;
  if (known) return known;
  const errorCode = CODES.get(code);
  if (errorCode === undefined) return notTheService(base, `rejects the call (${code})`);
  return new ServiceError(
    errorCode,
    `The service rejected the call (${code}). See tools/list for its tools and their arguments.`,
  );
}
