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

/** The credentials of a request. */
export interface Given {
  /** The hash of all of them. */
  readonly id: string;
  readonly kind: Caller['kind'];
  /** As they came. */
  readonly headers: CredentialHeaders;
  readonly sent: readonly Sent[];
}

/** What a request holds of credentials; undefined where it holds none. Throws UNAUTHENTICATED for a malformed header. */
export function givenIn(request: Headers): Given | undefined {
  const sent = credentialsIn(request);
  const [first] = sent;
  if (!first) return undefined;
  const given = CREDENTIAL_HEADERS.flatMap(([name]) => {
    const value = request[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const id = hash('sha256', JSON.stringify(given), 'base64url');
  return { id, kind: kindOf(first), headers: Object.fromEntries(given), sent };
}

/** By its looks; what it is good for the service says. */
function kindOf(sent: Sent): Caller['kind'] {
  if (isJwt(sent)) return 'jwt';
  if (sent.form === 'key' || looksLikeApiKey(sent.value)) return 'api_key';
  return sent.value.startsWith(ACCESS_PREFIX) ? 'session' : 'oauth';
}
