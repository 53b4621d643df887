import { createSecretKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { JWT_OPTIONS, checkJwtSecret, refuseCredential } from '@service-mcp/plugin-auth/contract';

/** Throws UNAUTHENTICATED for a JWT that is not good. */
export type VerifyJwt = (jwt: string) => Promise<void>;

const SETTING = { key: 'upstream.jwt_secret', without: 'then the service alone judges JWTs' };

/**
 * Verifies JWTs here: HS256 alone, in date, with `sub` and `exp`. Whose they are, and what they may do, the service
 * says all the same. Throws a BootError for a weak secret; undefined where there is none.
 */
export function createVerifyJwt(secret: string | undefined): VerifyJwt | undefined {
  if (secret === undefined) return undefined;
  checkJwtSecret(secret, SETTING);
  const key = createSecretKey(Buffer.from(secret));
  return async (jwt) => {
    const { sub, exp } = await jwtVerify(jwt, key, JWT_OPTIONS).then(
      ({ payload }) => payload,
      () => ({ sub: undefined, exp: undefined }), // which of its checks failed is nothing to tell a forger
    );
    if (typeof sub === 'string' && sub !== '' && typeof exp === 'number') return;
    throw refuseCredential(
      'The JWT is not good: it must be signed with HS256 and the secret of the service, be in date, and hold sub and exp. Get a new one.',
    );
  };
}
