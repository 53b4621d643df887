import { closed } from '@service-mcp/core';
import {
  BootError,
  Validators,
  coreSections,
  findStrayVariables,
  overrideBinding,
  ownVersion,
  readSections,
  readSettingsFile,
  refuseUnknownSections,
  type StrayVariable,
} from '@service-mcp/core/host';
import { addressFault, baseAddress } from '@service-mcp/core/wire';
import { Type, type Static } from 'typebox';

const milliseconds = (description: string, initial: number, maximum: number, env: string) =>
  Type.Integer({ description, default: initial, minimum: 100, maximum, 'x-env': env });
const flag = (description: string, env: string) =>
  Type.Boolean({ description, default: false, 'x-env': env });
const CONNECTING = 'Timeout of connecting to the service, after which a call fails with UNAVAILABLE';
const ANSWERING = 'Timeout of a response of the service';

/** The section `upstream` of a gateway's file. */
export const upstreamSection = Type.Object(
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
    require_auth: flag('Require a credential from every client', 'MCP_HTTP_REQUIRE_AUTH'),
    allow_remote: flag(
      'Serve other machines without a credential; only behind an authenticating proxy, or in a trusted network',
      'MCP_HTTP_ALLOW_REMOTE',
    ),
    jwt_secret: Type.Optional(
      Type.String({
        description:
          'Secret that verifies HS256 JWTs in the gateway, at least 32 random bytes; without it only the service verifies them',
        'x-env': 'SERVICE_JWT_SECRET',
        'x-secret': true,
      }),
    ),
    toolsets: Type.Array(Type.String({ pattern: '^[\\w*-]+$' }), {
      description: 'What a client gets that selects nothing, except on the endpoints with every tool',
      default: [],
      'x-env': 'SERVICE_TOOLSETS_DEFAULT',
    }),
    read_only: flag('Let every client use only tools that read', 'SERVICE_READ_ONLY'),
    connect_timeout_ms: milliseconds(CONNECTING, 800, 60_000, 'SERVICE_API_CONNECT_TIMEOUT_MS'),
    answer_timeout_ms: milliseconds(ANSWERING, 90_000, 600_000, 'SERVICE_API_ANSWER_TIMEOUT_MS'),
  },
  closed,
);

const { server, log } = coreSections;
const { host, port } = server.properties;
const SECTIONS = {
  // interface.md 4.4
  server: Type.Object(
    { ...server.properties, host: { ...host, default: '0.0.0.0' }, port: { ...port, default: 8787 } },
    closed,
  ),
  log,
  upstream: upstreamSection,
};

const READER = { name: 'a gateway', remedy: 'Unset it, or set it for the service.' };

/** The checked settings of a gateway. */
export interface GatewaySettings extends Readonly<{
  [K in keyof typeof SECTIONS]: Static<(typeof SECTIONS)[K]>;
}> {
  /** Address of the service: scheme, host, port and path, without a slash at the end. */
  readonly base: string;
  readonly version: string;
  /** Variables of the environment that look like settings and are not. */
  readonly strayVariables: readonly StrayVariable[];
}

/** Reads a gateway's file (JSON, optional) and the environment; `overrides` win. Throws BootError. */
export async function loadGateway(
  path: string | undefined,
  env: NodeJS.ProcessEnv,
  overrides: Parameters<typeof overrideBinding>[1] = {},
): Promise<GatewaySettings> {
  const file = path === undefined ? {} : await readSettingsFile(path);
  for (const key of ['plugins', 'transports'].filter((name) => name in file)) {
    const problem = 'a gateway has none, since it reaches another service';
    const remedy = 'Take it out, or start a deployment with: service-mcp serve';
    throw new BootError(`"${key}" in the file of a gateway`, problem, remedy);
  }
  refuseUnknownSections(file, Object.keys(SECTIONS), 'Take it out.');
  const trimmed = { ...env, SERVICE_API_KEY: env['SERVICE_API_KEY']?.trim() };
  const settings = readSections(SECTIONS, file, trimmed, new Validators());
  const { url } = settings.upstream;
  const fault = addressFault(url);
  if (fault !== undefined) {
    const remedy = 'Set it to the base address of the service, such as https://memory.example.org';
    throw new BootError('SERVICE_API_URL (upstream.url)', fault, remedy);
  }
  return {
    ...settings,
    server: overrideBinding(settings.server, overrides),
    base: baseAddress(url),
    version: ownVersion(),
    strayVariables: findStrayVariables(env, Object.values(SECTIONS), READER),
  };
}
