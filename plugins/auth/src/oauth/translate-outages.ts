import { ServiceError } from '@service-mcp/core';
import { errors, type Adapter } from 'oidc-provider';
import { isOutage, UNAVAILABLE } from './answer-outage.js';

/** Makes outages errors of the library, which it shows as RFC 6749 asks: in JSON, in a redirect or on a page. */
export async function translateOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isOutage(error) ? temporarilyUnavailable(error) : error;
  }
}

function temporarilyUnavailable(cause: ServiceError): Error {
  const translated = new errors.TemporarilyUnavailable(cause.message, { cause });
  return Object.assign(translated, { status: UNAVAILABLE, statusCode: UNAVAILABLE });
}

/**
 * Gives failures of client-id documents a text for a person, and those that pass the code of an outage: at
 * `invalid_client` applications discard their tokens.
 */
export function translateDocumentFault(error: unknown, clientId: string): unknown {
  if (!(error instanceof errors.InvalidClient)) return error;
  const host = URL.canParse(clientId) ? new URL(clientId).host : 'its address';
  const fault = new ServiceError(
    isOutage(error.cause) ? 'UNAVAILABLE' : 'INVALID_ARGUMENT',
    `The service could not read the description of the application (its client-id document) at ${host}. Wait a little and connect again. If that fails too, remove the connection in the application and add it again: most applications then register themselves. The operator of the service can also allow outgoing HTTPS to ${host}, put the document into the setting auth.pinned_clients, or set SERVICE_AUTH_CLIENT_DOCUMENTS=never.`,
    { details: { client_document: host }, cause: error.cause },
  );
  return isOutage(fault) ? temporarilyUnavailable(fault) : Object.assign(error, { cause: fault });
}

/** An adapter whose outages are errors of the library. */
export function translateOutages(adapter: Adapter): Adapter {
  const methods = Object.entries(adapter).map(([name, method]) => {
    const call = method as (...args: unknown[]) => Promise<unknown>; // each is passed its own arguments
    return [name, (...args: unknown[]) => translateOutage(call(...args))] as const;
  });
  return Object.fromEntries(methods) as unknown as Adapter; // of the same names
}
