import { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { ServiceError, type ErrorCode } from '@service-mcp/core';
import { givenUp, notTheService } from './failures.js';
import { isRecord, serviceError } from './refusals.js';

/** What a client of the SDK threw, as the failure that the caller meets: the service's own where it told one. */
export function translated(base: string, thrown: unknown, signal: AbortSignal): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof ProtocolError) return protocolFailure(base, thrown);
  if (signal.aborted) return givenUp(base, signal);
  // What the SDK says of a result that it cannot read is for a log.
  const kind = thrown instanceof SdkError ? `sends what is no MCP result` : 'sends what is no MCP message';
  return notTheService(base, kind, thrown);
}

/** Codes of JSON-RPC and MCP that come without one of ours, as from the SDK on the service's side. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [-32700, 'PARSE_ERROR'],
  [-32600, 'INVALID_REQUEST'],
  [-32601, 'UNKNOWN_METHOD'],
  [-32602, 'INVALID_ARGUMENT'],
  [-32002, 'NOT_FOUND'],
]);

function protocolFailure(base: string, { code, message, data }: ProtocolError): ServiceError {
  const told = isRecord(data) ? serviceError(data['code'], message, data['details']) : undefined;
  if (told) return told;
  const known = CODES.get(code);
  if (known === undefined) return notTheService(base, `refuses the call (${code})`);
  return new ServiceError(
    known,
    `The service refused the call (${code}). Call tools/list for what it takes.`,
  );
}
