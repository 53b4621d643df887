import { ServiceError } from '@service-mcp/core';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const MAX_NAME_LENGTH = 200;
/** Schemes that lead to no application: they run or show what stands in the address, or speak to another machine. */
const NOT_AN_APPLICATION =
  /^(?:about|blob|data|file|filesystem|ftps?|javascript|mailto|tel|vbscript|view-source|wss?):$/;
/**
 * Metadata that makes the server fetch, sign or encrypt in ways that MCP clients do not need, and what is for display
 * alone, which no page shows.
 */
const DROPPED = [
  'scope',
  'sector_identifier_uri',
  'jwks_uri',
  'jwks',
  'request_uris',
  'id_token_signed_response_alg',
  'default_max_age',
  'require_auth_time',
  'default_acr_values',
  'initiate_login_uri',
  'subject_type',
  'client_uri',
  'contacts',
  'logo_uri',
  'policy_uri',
  'tos_uri',
];

/**
 * Normalises client metadata of a registration or a client-id document: a redirect to loopback or to an application
 * makes the client `native`, http to other hosts is rejected, and the scope is dropped, because a stored scope limits
 * later requests. A long name is cut, and what no database stores in it replaced. Throws INVALID_ARGUMENT; its detail
 * `oauth` is an error code of RFC 7591, 3.2.2.
 */
export function normaliseClientMetadata(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw rejected('invalid_client_metadata', 'Send client metadata as a JSON object.');
  const metadata: Record<string, unknown> = { ...input };
  for (const name of DROPPED) delete metadata[name];
  const { client_name: clientName } = metadata;
  if (typeof clientName === 'string')
    metadata['client_name'] = clientName.slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll('\0', '\uFFFD');
  const kinds = redirectUris(metadata['redirect_uris']).map(kindOf);
  const isNative = kinds.some((kind) => kind !== 'web');
  if (isNative) metadata['application_type'] = 'native';
  else metadata['application_type'] ??= 'web';
  metadata['token_endpoint_auth_method'] ??= 'none'; // a secret inside a desktop program is not secret
  if (Array.isArray(metadata['grant_types'])) {
    const supported = metadata['grant_types'].filter((type) => GRANT_TYPES.includes(String(type)));
    metadata['grant_types'] = supported.length > 0 ? supported : GRANT_TYPES;
  }
  if (Array.isArray(metadata['response_types'])) metadata['response_types'] = ['code'];
  return metadata;
}

function redirectUris(input: unknown): URL[] {
  const uris: unknown[] = Array.isArray(input) ? input : [];
  if (uris.length === 0 || uris.length > 20)
    throw rejected('invalid_redirect_uri', 'Send redirect_uris: 1 to 20 addresses.');
  return uris.map((uri) => {
    if (typeof uri !== 'string' || uri.length > 2000 || !URL.canParse(uri) || uri.includes('#'))
      throw rejected(
        'invalid_redirect_uri',
        'A redirect URI is invalid. Each must be an absolute address without #.',
      );
    const url = new URL(uri);
    if (url.username !== '' || url.password !== '' || uri.includes('\\'))
      throw rejected(
        'invalid_redirect_uri',
        'A redirect URI has a user name, a password or a backslash. Leave them out.',
      );
    return url;
  });
}

function kindOf(uri: URL): 'web' | 'loopback' | 'application' {
  if (uri.protocol === 'https:') return 'web';
  if (uri.protocol === 'http:') {
    if (LOOPBACK.test(uri.hostname)) return 'loopback';
    throw rejected(
      'invalid_redirect_uri',
      'A redirect URI with http must go to 127.0.0.1, [::1] or localhost. Use https elsewhere.',
    );
  }
  if (NOT_AN_APPLICATION.test(uri.protocol))
    throw rejected(
      'invalid_redirect_uri',
      `A redirect URI with ${uri.protocol} leads to no application. Use https, http on this computer, or the scheme of the application.`,
    );
  return 'application';
}

function rejected(oauth: 'invalid_redirect_uri' | 'invalid_client_metadata', message: string): ServiceError {
  return new ServiceError('INVALID_ARGUMENT', message, { details: { oauth } });
}
