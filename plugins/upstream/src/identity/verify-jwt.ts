import { createSecretKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { JWT_OPTIONS, checkJwtSecret, invalidCredential } from '@service-mcp/plugin-auth/contract';

/** Throws UNAUTHENTICATED for an invalid JWT. */
export type VerifyJwt = (jwt: string) => Promise<void>;

const SETTING = { key: 'upstream.jwt_secret', without: 'only the service then verifies JWTs' };

/**
 * Verifies JWTs: HS256 only, not expired, with `sub` and `exp`. The service still determines account and permissions.
 * Throws a BootError for a weak secret; undefined without a secret.
 */
export function createVerifyJwt(secret: string | undefined): VerifyJwt | undefined {
  if (secret === undefined) return undefined;
  checkJwtSecret(secret, SETTING);
  const key = createSecretKey(Buffer.from(secret));
  return async (jwt) => {
    const { sub, exp } = await jwtVerify(jwt, key, JWT_OPTIONS).then(
      ({ payload }) => payload,
      () => ({ sub: undefined, exp: undefined }), // a forger does not learn which check failed
    );
    if (typeof sub === 'string' && sub !== '' && typeof exp === 'number') return;
    throw invalidCredential(
      'The JWT is invalid: it must be signed with HS256 and the secret of the service, not be expired, and have sub and exp. Get a new one.',
    );
  };
}
