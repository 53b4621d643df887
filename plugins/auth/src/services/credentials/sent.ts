import type { Headers } from '@service-mcp/core';
import { refuseCredential } from './refuse.js';

/** A credential as a header brought it. */
export interface Sent {
  readonly form: 'key' | 'jwt' | 'bearer';
  readonly value: string;
}

/** The headers that credentials come in, in the order in which they count. */
export const CREDENTIAL_HEADERS = [
  ['x-service-api-key', 'key'],
  ['x-api-key', 'key'],
  ['x-service-jwt', 'jwt'],
  ['authorization', 'bearer'],
] as const;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const VISIBLE = /^[\x21-\x7e]+$/;
const LONGEST = 8192;

/** The credentials in headers, in order. A value that is sent twice is looked at once. Throws for a malformed header. */
export function credentialsIn(headers: Headers): Sent[] {
  const sent: Sent[] = [];
  for (const [name, form] of CREDENTIAL_HEADERS) {
    const header = headers[name];
    if (header === undefined) continue;
    const text = typeof header === 'string' && header.length <= LONGEST ? header.trim() : '';
    const value = form === 'bearer' ? BEARER.exec(text)?.[1] : VISIBLE.exec(text)?.[0];
    if (value === undefined) {
      throw refuseCredential(
        form === 'bearer'
          ? 'The header Authorization must be "Bearer", a space and one credential.'
          : `The header ${name} must hold one credential, without spaces, and be sent once.`,
      );
    }
    if (!sent.some((earlier) => earlier.value === value)) sent.push({ form, value });
  }
  return sent;
}

/** Is it a JWT? In `Authorization`, what has three parts is one. */
export function isJwt({ form, value }: Sent): boolean {
  return form === 'jwt' || (form === 'bearer' && value.split('.', 4).length === 3);
}
