import { ServiceError } from '@service-mcp/core';

/** UNAUTHENTICATED for an invalid credential; `details` distinguish it from a missing one in the challenge. */
export function invalidCredential(message: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', message, { details: { credential: 'refused' } });
}

export function disabledAccount(): ServiceError {
  return new ServiceError(
    'UNAUTHENTICATED',
    'The account of this credential is disabled. Ask the operator to enable it.',
    { details: { credential: 'refused', account: 'disabled' } },
  );
}

/** The value of `WWW-Authenticate` on surfaces without OAuth (RFC 6750, 3). */
export function bearerChallenge({ code, details }: ServiceError): string {
  const scope = details?.['scope'];
  if (code === 'PERMISSION_DENIED' && typeof scope === 'string')
    return `Bearer error="insufficient_scope", scope="${scope}"`;
  return details?.['credential'] === 'refused' ? 'Bearer error="invalid_token"' : 'Bearer';
}
