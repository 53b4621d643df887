import { Type, type Static } from 'typebox';
import { closed, defineConfig } from '@service-mcp/core';

const milliseconds = (description: string, initial: number, minimum: number, maximum: number, env: string) =>
  Type.Integer({ description, default: initial, minimum, maximum, 'x-env': env });

/** The section `upstream` of the deployment file. */
export const config = defineConfig(
  'upstream',
  Type.Object(
    {
      url: Type.String({
        description: 'Address of the service',
        format: 'uri',
        default: 'http://127.0.0.1:8080',
        'x-env': 'SERVICE_API_URL',
      }),
      api_key: Type.Optional(
        Type.String({
          description: 'API key for calls of clients without a credential',
          pattern: '^[\\x21-\\x7e]{1,4096}$',
          'x-env': 'SERVICE_API_KEY',
          'x-secret': true,
        }),
      ),
      require_auth: Type.Boolean({
        description: 'Require a credential that the service accepts from every client',
        default: false,
        'x-env': 'MCP_HTTP_REQUIRE_AUTH',
      }),
      allow_remote: Type.Boolean({
        description:
          'Serve other machines without a credential; only behind an authenticating proxy, or in a trusted network',
        default: false,
        'x-env': 'MCP_HTTP_ALLOW_REMOTE',
      }),
      jwt_secret: Type.Optional(
        Type.String({
          description:
            'Secret that verifies HS256 JWTs in the gateway, at least 32 random bytes; without it only the service verifies them',
          'x-env': 'SERVICE_JWT_SECRET',
          'x-secret': true,
        }),
      ),
      connect_timeout_ms: milliseconds(
        'Timeout of connecting to the service',
        3_000,
        100,
        60_000,
        'SERVICE_API_CONNECT_TIMEOUT_MS',
      ),
      answer_timeout_ms: milliseconds(
        'Timeout of a response of the service, or of the next part of it',
        60_000,
        100,
        600_000,
        'SERVICE_API_ANSWER_TIMEOUT_MS',
      ),
    },
    closed,
  ),
);

export type Settings = Static<typeof config.schema>;
