import { ServiceError } from '@service-mcp/core';

/** Codes of a connection that was never made: nothing was sent. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'its host is out of reach',
  ENETUNREACH: 'its network is out of reach',
  ETIMEDOUT: 'it does not take the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not take the connection',
};

/** What went wrong before an answer was there, in our words: the text of the network never reaches a caller. */
export function lostConnection(base: string, thrown: unknown): ServiceError {
  const code = codeOf(thrown);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return tooLate(base);
  const reason = REASONS[code ?? ''] ?? (isCertificate(code) ? 'its TLS certificate is no good' : undefined);
  if (reason !== undefined) return away(base, reason, thrown);
  return new ServiceError(
    'UNAVAILABLE',
    `The connection to the service at ${base} broke before its answer, so that it is not known whether the call was carried out. Look before you repeat a change.`,
    { cause: thrown },
  );
}

/** UNAVAILABLE: nothing was carried out. */
export function away(base: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `The service at ${base} is away: ${reason}. Try again in a moment; if it stays, start the service or correct SERVICE_API_URL of the gateway.`,
    { cause },
  );
}

/** UNAVAILABLE: something answers at the address that does not speak as the service does. */
export function notTheService(base: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `What answers at ${base} ${what}, so that it is not the service, or a proxy stands before it. Correct SERVICE_API_URL of the gateway.`,
    { cause },
  );
}

export function tooLate(base: string): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    `The service at ${base} took the call and did not answer in time, so that it is not known whether it was carried out. Look before you repeat a change.`,
  );
}

/** Why a call was given up that its own side ended: the reason where there is one, else its caller or its deadline. */
export function givenUp(base: string, signal: AbortSignal): ServiceError {
  const reason: unknown = signal.reason;
  if (reason instanceof ServiceError) return reason;
  if (!(reason instanceof Error && reason.name === 'AbortError')) return tooLate(base);
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The call was cancelled, so that it is not known whether the service carried it out. Look before you repeat a change.',
  );
}

/** The code of a system error or of undici, wherever in the chain of causes it sits. */
function codeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error instanceof AggregateError) return codeOf(error.errors[0]); // every address of a name was tried
  }
  return undefined;
}

function isCertificate(code = ''): boolean {
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code);
}
