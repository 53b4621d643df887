import { createSecretKey } from 'node:crypto';
import { jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { invalidCredential } from './credential-errors.js';
import { JWT_OPTIONS, checkJwtSecret } from './jwt-secret.js';

/** The first end that no RFC 3339 time has; one in milliseconds is far beyond. */
const YEAR_10000 = Date.UTC(10_000, 0) / 1000;

/** The claims of a verified JWT. */
export type JwtClaims = JWTPayload & { readonly sub: string; readonly exp: number };

/**
 * Returns the verification of HS256 JWTs that were signed with a secret; it throws UNAUTHENTICATED. Throws a BootError for
 * a weak secret, which names `setting`.
 */
export function createJwtVerifier(
  secret: string,
  setting: Parameters<typeof checkJwtSecret>[1],
  options: Pick<JWTVerifyOptions, 'issuer' | 'audience'> = {},
): (jwt: string, now?: Date) => Promise<JwtClaims> {
  checkJwtSecret(secret, setting);
  const key = createSecretKey(Buffer.from(secret));
  return async (jwt, currentDate = new Date()) => {
    const claims = await jwtVerify(jwt, key, { ...JWT_OPTIONS, ...options, currentDate }).then(
      ({ payload }) => payload,
      () => undefined, // a forger does not learn which check failed
    );
    const { sub, exp }: { sub?: unknown; exp?: unknown } = claims ?? {}; // a signed claim can have any type
    if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number' || exp >= YEAR_10000)
      throw invalidJwt();
    return { ...claims, sub, exp };
  };
}

export function invalidJwt(): Error {
  return invalidCredential(
    'The JWT is invalid: it must be signed with HS256 and the secret of the service, not be expired, and have sub and exp, in seconds (and iss and aud as configured). Get a new one.',
  );
}
