import { hash } from 'node:crypto';
import type { Caller, Headers } from '@service-mcp/core';
import {
  ACCESS_PREFIX,
  CREDENTIAL_HEADERS,
  presentedCredentials,
  isJwt,
  looksLikeApiKey,
  type PresentedCredential,
} from '@service-mcp/plugin-auth/contract';
import type { CredentialHeaders } from './credentials.js';

/** The credentials of a request. */
export interface RequestCredentials {
  /** Hash of all of them. */
  readonly id: string;
  readonly kind: Caller['kind'];
  /** Unchanged. */
  readonly headers: CredentialHeaders;
  readonly credentials: readonly PresentedCredential[];
}

/** The credentials of a request; undefined when there are none. Throws UNAUTHENTICATED for a malformed header. */
export function requestCredentials(request: Headers): RequestCredentials | undefined {
  const credentials = presentedCredentials(request);
  const [first] = credentials;
  if (!first) return undefined;
  const headers = CREDENTIAL_HEADERS.flatMap(([name]) => {
    const value = request[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const id = hash('sha256', JSON.stringify(headers), 'base64url');
  return { id, kind: kindOf(first), headers: Object.fromEntries(headers), credentials };
}

/** Determined by its format; the service verifies it. */
function kindOf(credential: PresentedCredential): Caller['kind'] {
  if (isJwt(credential)) return 'jwt';
  if (credential.form === 'key' || looksLikeApiKey(credential.value)) return 'api_key';
  return credential.value.startsWith(ACCESS_PREFIX) ? 'session' : 'oauth';
}
