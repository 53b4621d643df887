import { Type } from 'typebox';
import { closed, defineConfig } from '@service-mcp/core';

const whole = (description: string, initial: number, minimum: number, maximum: number, env?: string) =>
  Type.Integer({
    description,
    default: initial,
    minimum,
    maximum,
    ...(env !== undefined && { 'x-env': env }),
  });

export const config = defineConfig(
  'auth',
  Type.Object(
    {
      registration: Type.Optional(
        Type.Enum(['open', 'invite', 'closed'], {
          description:
            'Who may make an account: anyone, who was invited, nobody. Default: open on loopback, invite elsewhere. The first account is always allowed.',
          'x-env': 'SERVICE_AUTH_REGISTRATION',
        }),
      ),
      jwt_secret: Type.Optional(
        Type.String({
          description:
            'Secret of HS256 JWTs that are accepted as credentials, at least 32 random bytes; without it none is',
          'x-env': 'SERVICE_JWT_SECRET',
          'x-secret': true,
        }),
      ),
      jwt_issuer: Type.Optional(
        Type.String({
          description: 'What the claim iss of a JWT must be; default: anything',
          minLength: 1,
          'x-env': 'SERVICE_JWT_ISSUER',
        }),
      ),
      jwt_audience: Type.Optional(
        Type.String({
          description: 'What the claim aud of a JWT must name; default: anything',
          minLength: 1,
          'x-env': 'SERVICE_JWT_AUDIENCE',
        }),
      ),
      jwt_max_age_seconds: whole(
        'Longest age of a JWT since iat; one without iat must end within that time',
        86_400,
        1,
        31_536_000,
        'SERVICE_JWT_MAX_AGE_SECONDS',
      ),
      access_token_minutes: whole('How long the access token of a login is good', 15, 1, 1440),
      refresh_token_days: whole('How long a login lasts that is not refreshed', 30, 1, 365),
      browser_session_days: whole('How long a login in a browser lasts that is not used', 14, 1, 365),
      login_window_seconds: whole('The window in which tries to log in are counted', 900, 1, 86_400),
      login_tries: whole('Tries in a window on one address from one peer', 10, 1, 100_000),
      login_tries_per_email: whole('Tries in a window on one address from all peers', 50, 1, 100_000),
      login_tries_per_peer: whole('Tries in a window from one peer on all addresses', 100, 1, 1_000_000),
      parallel_hashes: whole(
        'Most passwords that are hashed at once; each takes 19 MiB of memory meanwhile',
        4,
        1,
        64,
      ),
      oauth_key_days: whole(
        'After how many days the signing keys of the OAuth server are rotated',
        90,
        1,
        3650,
      ),
      oauth_key_check_seconds: whole(
        'How often a process looks whether the signing keys have changed; 0 is at each request',
        20,
        0,
        60,
      ),
      invitation_days: whole('How long an invitation is good', 7, 1, 365),
      audit_days: whole('How long the audit log is kept', 365, 1, 36_500, 'SERVICE_AUDIT_DAYS'),
    },
    closed,
  ),
);
