import { hash } from 'node:crypto';
import type { Caller, Headers } from '@service-mcp/core';
import {
  ACCESS_PREFIX,
  CREDENTIAL_HEADERS,
  credentialsIn,
  isJwt,
  looksLikeApiKey,
  type Sent,
} from '@service-mcp/plugin-auth/contract';
import type { CredentialHeaders } from './credentials.js';

/** A caller with what it sent. */
export interface Known {
  readonly caller: Caller;
  readonly headers: CredentialHeaders;
  readonly sent: readonly Sent[];
}

/**
 * The caller behind the credentials of a request; undefined where there are none. Who it is in the service only the
 * service knows: here a caller is the hash of all that it sent, so that another credential is another caller. Throws
 * UNAUTHENTICATED for a malformed header.
 */
export function callerIn(request: Headers): Known | undefined {
  const sent = credentialsIn(request);
  const [first] = sent;
  if (!first) return undefined;
  const given = CREDENTIAL_HEADERS.flatMap(([name]) => {
    const value = request[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const id = hash('sha256', JSON.stringify(given), 'base64url');
  const caller = { kind: kindOf(first), userId: id, name: 'a client', scopes: ['*'], credentialId: id };
  return { caller, headers: Object.fromEntries(given), sent };
}

/** By its looks; what it is good for the service says. */
function kindOf(sent: Sent): Caller['kind'] {
  if (isJwt(sent)) return 'jwt';
  if (sent.form === 'key' || looksLikeApiKey(sent.value)) return 'api_key';
  return sent.value.startsWith(ACCESS_PREFIX) ? 'session' : 'oauth';
}
