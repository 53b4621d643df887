import type { JWTPayload } from 'jose';
import type { Caller, Clock, Database } from '@service-mcp/core';
import type { Settings } from '../../config.js';
import { findUser } from '../account-store.js';
import { DEFAULT_SCOPES } from '../scopes.js';
import { disabledAccount, invalidCredential } from './credential-errors.js';
import { JWT_OPTIONS } from './jwt-secret.js';
import { createJwtVerifier, invalidJwt, type JwtClaims } from './jwt-verifier.js';

const USER_ID = /^[0-9a-f-]{36}$/;
const TOLERANCE_SECONDS = JWT_OPTIONS.clockTolerance;
const SETTING = { key: 'auth.jwt_secret', without: 'JWTs are then rejected' };

/**
 * Verifies a JWT: HS256 only, with `sub` (a user id) and `exp`; `iss` and `aud` when configured. The claim `scope`
 * sets its scopes; default: {@link DEFAULT_SCOPES}. Undefined without a secret. Throws BootError for a weak secret.
 */
export function createJwtCheck({
  database,
  clock,
  settings,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: Settings;
}): ((jwt: string) => Promise<Caller>) | undefined {
  const { jwt_secret: secret, jwt_issuer: issuer, jwt_audience: audience } = settings;
  if (secret === undefined) return undefined;
  const verify = createJwtVerifier(secret, SETTING, {
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  });

  return async (jwt) => {
    const now = clock.now();
    const payload = await verify(jwt, now);
    rejectStale(payload, now, settings.jwt_max_age_seconds);
    const { sub: id } = payload;
    const user = USER_ID.test(id) ? await findUser(database.sql, { id }) : undefined;
    if (!user)
      throw invalidCredential('The JWT names no account: set sub to the id of an account of this service.');
    if (user.disabled_at !== null) throw disabledAccount();
    return {
      kind: 'jwt',
      userId: user.id,
      name: user.name,
      scopes: scopesOf(payload),
      administrator: user.administrator === 1,
      expiresAt: new Date(payload.exp * 1000).toISOString(),
    };
  };
}

/** Without `iat` the age is unknown: the JWT must then expire within `maxAge` from now. */
function rejectStale({ iat, exp }: JwtClaims, now: Date, maxAge: number): void {
  const seconds = now.getTime() / 1000;
  const old = iat === undefined ? exp > seconds + maxAge + TOLERANCE_SECONDS : iat < seconds - maxAge;
  const early = iat !== undefined && iat > seconds + TOLERANCE_SECONDS;
  if (old || early) throw invalidJwt();
}

function scopesOf(payload: JWTPayload): readonly string[] {
  const { scope } = payload;
  if (scope === undefined) return DEFAULT_SCOPES;
  const words = typeof scope === 'string' ? scope.split(' ') : scope;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) throw invalidJwt();
  return words.filter((word) => word !== '');
}
