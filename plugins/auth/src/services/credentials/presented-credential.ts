import type { Headers, ServiceError } from '@service-mcp/core';
import { invalidCredential } from './credential-errors.js';

/** A credential in a header of a request, not yet verified. */
export interface PresentedCredential {
  readonly form: 'key' | 'jwt' | 'bearer';
  readonly value: string;
}

/** The credential headers, in order of precedence. */
export const CREDENTIAL_HEADERS = [
  ['x-service-api-key', 'key'],
  ['x-api-key', 'key'],
  ['x-service-jwt', 'jwt'],
  ['authorization', 'bearer'],
] as const;

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;
const VISIBLE = /^[\x21-\x7e]+$/;
/** What settings write for a variable, where a client did not put its value in; also of VS Code, Windows and templates. */
const PLACEHOLDER = /^(?:\$\w+|\$?\{.*\}|%\w+%|<.*>)$/;
const MAX_HEADER_LENGTH = 8192;

/** The credentials in headers, in order of precedence, without duplicates. Throws UNAUTHENTICATED for a malformed header. */
export function presentedCredentials(headers: Headers): PresentedCredential[] {
  const credentials: PresentedCredential[] = [];
  for (const [name, form] of CREDENTIAL_HEADERS) {
    const header = headers[name];
    if (header === undefined) continue;
    const text = typeof header === 'string' && header.length <= MAX_HEADER_LENGTH ? header.trim() : '';
    const value = form === 'bearer' ? BEARER.exec(text)?.[1] : VISIBLE.exec(text)?.[0];
    if (value === undefined || PLACEHOLDER.test(value)) throw malformed(name, header);
    if (!credentials.some((earlier) => earlier.value === value)) credentials.push({ form, value });
  }
  return credentials;
}

/** Most faults are a variable without a value: clients then send nothing, or its name. */
function malformed(name: string, header: string | readonly string[]): ServiceError {
  const named = name === 'authorization' ? 'Authorization' : name;
  const text = typeof header === 'string' ? header.trim().replace(/^Bearer(?: +|$)/i, '') : undefined;
  if (text === '')
    return invalidCredential(
      `The header ${named} is empty. Set the variable that should hold the credential where the client starts, or leave the header out.`,
    );
  if (text !== undefined && PLACEHOLDER.test(text))
    return invalidCredential(
      `The header ${named} holds the name of a variable, not its value. Set the variable where the client starts, in the form that the client knows, or write the credential itself.`,
    );
  return invalidCredential(
    named === 'Authorization'
      ? 'The header Authorization is malformed. Send "Bearer", a space and one credential.'
      : `The header ${named} is malformed. Send it once, with one credential without spaces.`,
  );
}

/** Is it a JWT? In `Authorization`, a value with three parts is one. */
export function isJwt({ form, value }: PresentedCredential): boolean {
  return form === 'jwt' || (form === 'bearer' && value.split('.', 4).length === 3);
}
