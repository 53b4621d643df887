import { Type } from 'typebox';
import { closed, defineConfig, type Resolved } from '@service-mcp/core';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** https, http to loopback, or the scheme of an application; no fragment. */
const REDIRECT_URI = String.raw`^(?:https://|http://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)|(?!http)[A-Za-z][\w+.-]*:)[^#]*$`;

const whole = (description: string, initial: number, maximum: number, more: object = {}) =>
  Type.Integer({ description, default: initial, minimum: 1, maximum, ...more });

export const config = defineConfig(
  'auth',
  Type.Object(
    {
      registration: Type.Optional(
        Type.Enum(['open', 'invite', 'closed'], {
          description:
            'Who can register: anyone (open), people with an invitation (invite), nobody (closed). Default: open on loopback, invite elsewhere. The first account needs the set-up token instead, unless serve made a local owner.',
          'x-env': 'SERVICE_AUTH_REGISTRATION',
        }),
      ),
      setup_token: Type.Optional(
        Type.String({
          description:
            'Token that the first account needs, at least 20 characters; default: serve prints one while there is no account',
          minLength: 20,
          maxLength: 300,
          'x-env': 'SERVICE_SETUP_TOKEN',
          'x-secret': true,
        }),
      ),
      jwt_secret: Type.Optional(
        Type.String({
          description:
            'Secret that verifies HS256 JWTs, at least 32 random bytes; without it JWTs are rejected',
          'x-env': 'SERVICE_JWT_SECRET',
          'x-secret': true,
        }),
      ),
      jwt_issuer: Type.Optional(
        Type.String({
          description: 'Required value of the JWT claim iss; default: any',
          minLength: 1,
          'x-env': 'SERVICE_JWT_ISSUER',
        }),
      ),
      jwt_audience: Type.Optional(
        Type.String({
          description: 'Audience that the JWT claim aud must include; default: any',
          minLength: 1,
          'x-env': 'SERVICE_JWT_AUDIENCE',
        }),
      ),
      jwt_max_age_seconds: whole(
        'Maximum age of a JWT since iat; a JWT without iat must expire within that time',
        86_400,
        31_536_000,
        { 'x-env': 'SERVICE_JWT_MAX_AGE_SECONDS' },
      ),
      access_token_minutes: whole('Lifetime of an access token of a login', 15, 1440),
      refresh_token_days: whole('Lifetime of a login that is not refreshed', 30, 365),
      browser_session_days: whole('Lifetime of a browser session that is not used', 14, 365),
      login_window_seconds: whole('Length of the window in which login attempts are counted', 900, 86_400),
      login_tries: whole('Login attempts per window for one address from one peer', 10, 100_000),
      login_tries_per_email: whole('Login attempts per window for one address from all peers', 50, 100_000),
      login_tries_per_peer: whole(
        'Login attempts per window from one peer for all addresses',
        100,
        1_000_000,
      ),
      parallel_hashes: whole('Maximum number of passwords hashed at once; each uses 19 MiB of memory', 4, 64),
      client_documents: Type.Optional(
        Type.Enum(['always', 'probe', 'never'], {
          description:
            'Whether OAuth applications may identify themselves by the address of a document, which the service fetches: always, where a connection to modelcontextprotocol.io shows outgoing HTTPS access (probe), never. Default: probe on loopback, always elsewhere',
          'x-env': 'SERVICE_AUTH_CLIENT_DOCUMENTS',
        }),
      ),
      pinned_clients: Type.Array(
        Type.Object({
          client_id: Type.String({ pattern: '^https://', maxLength: 2000 }),
          client_name: Type.String({ minLength: 1, maxLength: 200 }),
          redirect_uris: Type.Array(Type.String({ pattern: REDIRECT_URI, maxLength: 2000 }), {
            minItems: 1,
            maxItems: 20,
          }),
        }),
        {
          description:
            'Documents of OAuth applications, by their client_id, that are used as they are here and never fetched',
          default: [],
          maxItems: 100,
        },
      ),
      oauth_key_days: whole('Age at which the signing keys of the OAuth server are rotated', 90, 3650),
      oauth_key_check_seconds: whole(
        'How often a process checks for new signing keys; 0 checks at each request',
        20,
        60,
        { minimum: 0 },
      ),
      invitation_days: whole('Lifetime of an invitation', 7, 365),
      audit_days: whole('Retention of the audit log', 365, 36_500, { 'x-env': 'SERVICE_AUDIT_DAYS' }),
    },
    closed,
  ),
);

export type Settings = Resolved<{ settings: typeof config.token }>['settings'];
