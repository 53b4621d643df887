import { createSecretKey } from 'node:crypto';
import { jwtVerify, type JWTPayload } from 'jose';
import type { Caller, Clock, Database } from '@service-mcp/core';
import { findUser } from '../account-store.js';
import { DEFAULT_SCOPES } from '../scopes.js';
import { JWT_OPTIONS } from './jwt-options.js';
import { checkJwtSecret } from './jwt-secret.js';
import { disabledAccount, refuseCredential } from './refuse.js';

interface JwtSettings {
  readonly jwt_secret?: string;
  readonly jwt_issuer?: string;
  readonly jwt_audience?: string;
  readonly jwt_max_age_seconds: number;
}

const USER_ID = /^[0-9a-f-]{36}$/;
const TOLERANCE_SECONDS = JWT_OPTIONS.clockTolerance;
const SETTING = { key: 'auth.jwt_secret', without: 'then no JWT is accepted' };

/**
 * Checks a JWT: HS256 alone, with `sub` (a user id) and `exp`; `iss` and `aud` where configured. The claim `scope`
 * narrows it; without one it has the default. Undefined where the deployment has no secret. Throws BootError for a weak one.
 */
export function createJwtCheck(
  deps: { readonly database: Database; readonly clock: Clock },
  settings: JwtSettings,
): ((jwt: string) => Promise<Caller>) | undefined {
  const { jwt_secret: secret, jwt_issuer: issuer, jwt_audience: audience } = settings;
  if (secret === undefined) return undefined;
  checkJwtSecret(secret, SETTING);
  const key = createSecretKey(Buffer.from(secret));
  const { database, clock } = deps;
  const options = {
    ...JWT_OPTIONS,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };

  return async (jwt) => {
    const now = clock.now();
    const payload = await jwtVerify(jwt, key, { ...options, currentDate: now }).then(
      (verified) => verified.payload,
      () => undefined, // which of its checks failed is nothing to tell a forger
    );
    if (!payload || typeof payload.exp !== 'number') throw noGood();
    refuseOld(payload, now, settings.jwt_max_age_seconds);
    const id: unknown = payload.sub; // a claim that somebody signed may be anything
    const user =
      typeof id === 'string' && USER_ID.test(id) ? await findUser(database.sql, { id }) : undefined;
    if (!user) throw refuseCredential('The JWT is for nobody here: its sub must be the id of an account.');
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

/** Without `iat` its age is unknown: then it must end as soon as a new one would. */
function refuseOld({ iat, exp = 0 }: JWTPayload, now: Date, maxAge: number): void {
  const seconds = now.getTime() / 1000;
  const old = iat === undefined ? exp > seconds + maxAge + TOLERANCE_SECONDS : iat < seconds - maxAge;
  const early = iat !== undefined && iat > seconds + TOLERANCE_SECONDS;
  if (old || early) throw noGood();
}

function scopesOf(payload: JWTPayload): readonly string[] {
  const { scope } = payload;
  if (scope === undefined) return DEFAULT_SCOPES;
  const words = typeof scope === 'string' ? scope.split(' ') : scope;
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) throw noGood();
  return words.filter((word) => word !== '');
}

function noGood(): Error {
  return refuseCredential(
    'The JWT is not good here: it must be signed with HS256 and the secret of this service, be in date, and hold sub and exp (and iss and aud as configured). Get a new one.',
  );
}
