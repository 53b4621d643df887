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
        description: 'Address of the service whose tools are served here',
        format: 'uri',
        default: 'http://127.0.0.1:8080',
        'x-env': 'SERVICE_API_URL',
      }),
      api_key: Type.Optional(
        Type.String({
          description: 'API key for calls of clients that send no credential of their own',
          pattern: '^[\\x21-\\x7e]{1,4096}$',
          'x-env': 'SERVICE_API_KEY',
          'x-secret': true,
        }),
      ),
      require_auth: Type.Boolean({
        description: 'Ask every client for a credential of its own, which the service must accept',
        default: false,
        'x-env': 'MCP_HTTP_REQUIRE_AUTH',
      }),
      allow_remote: Type.Boolean({
        description:
          'Serve other machines without a credential; only behind a proxy that authenticates, or in a network of your own',
        default: false,
        'x-env': 'MCP_HTTP_ALLOW_REMOTE',
      }),
      jwt_secret: Type.Optional(
        Type.String({
          description:
            'Secret with which the signatures of HS256 JWTs are verified here, at least 32 random bytes; without it the service alone judges them',
          'x-env': 'SERVICE_JWT_SECRET',
          'x-secret': true,
        }),
      ),
      connect_timeout_ms: milliseconds(
        'How long a connection to the service may take',
        3_000,
        100,
        60_000,
        'SERVICE_API_CONNECT_TIMEOUT_MS',
      ),
      answer_timeout_ms: milliseconds(
        'How long an answer of the service, or the next part of it, is waited for at most',
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
