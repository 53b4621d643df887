import { closed } from '@service-mcp/core';
import {
  BootError,
  Validators,
  bindAddress,
  coreSections,
  findStrayVariables,
  ownVersion,
  readSections,
  readSettingsFile,
  suggest,
  type StrayVariable,
} from '@service-mcp/core/host';
import { isRecord } from '@service-mcp/core/wire';
import { Type, type Static } from 'typebox';

const milliseconds = (description: string, initial: number, maximum: number, env: string) =>
  Type.Integer({ description, default: initial, minimum: 100, maximum, 'x-env': env });
const flag = (description: string, env: string) =>
  Type.Boolean({ description, default: false, 'x-env': env });
const CONNECTING = 'Timeout of connecting to the service';
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
    connect_timeout_ms: milliseconds(CONNECTING, 3_000, 60_000, 'SERVICE_API_CONNECT_TIMEOUT_MS'),
    answer_timeout_ms: milliseconds(ANSWERING, 60_000, 600_000, 'SERVICE_API_ANSWER_TIMEOUT_MS'),
  },
  closed,
);

const { server, log } = coreSections;
const SECTIONS = { server, log, upstream: upstreamSection };
/** The bind address of a gateway unless its file or the environment names another (interface.md 4.4). */
const SERVER = { host: '0.0.0.0', port: 8787 };

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
  overrides: { readonly host?: string | undefined; readonly port?: number | undefined } = {},
): Promise<GatewaySettings> {
  const file = path === undefined ? {} : await readSettingsFile(path);
  for (const key of Object.keys(file)) {
    if (key in SECTIONS || key === '$schema') continue;
    const place = `"${key}" in the file of a gateway`;
    if (key !== 'plugins' && key !== 'transports')
      throw new BootError(place, 'no such section', suggest(key, Object.keys(SECTIONS)));
    const problem = 'a gateway has none, since it reaches another service';
    throw new BootError(place, problem, 'Take it out, or start a deployment with: service-mcp serve');
  }
  const { server: bound = {} } = file;
  const given = { ...file, server: isRecord(bound) ? { ...SERVER, ...bound } : bound };
  const trimmed = { ...env, SERVICE_API_KEY: env['SERVICE_API_KEY']?.trim() };
  const settings = readSections(SECTIONS, given, trimmed, new Validators());
  const { host = settings.server.host, port = settings.server.port } = overrides;
  return {
    ...settings,
    server: { ...settings.server, host: bindAddress(host), port },
    base: parseAddress(settings.upstream.url),
    version: ownVersion(),
    strayVariables: findStrayVariables(env, Object.values(SECTIONS), READER),
  };
}

function parseAddress(text: string): string {
  const url = new URL(text); // checked by the schema
  const fault = faultOf(url);
  if (fault === undefined) return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  throw new BootError(
    'SERVICE_API_URL (upstream.url)',
    fault,
    'Set it to the base address of the service, such as https://memory.example.org',
  );
}

function faultOf({ protocol, username, password, search, hash, pathname }: URL): string | undefined {
  if (!/^https?:$/.test(protocol)) return 'it is not an http or https address';
  if (username !== '' || password !== '') return 'it contains a credential, which belongs in SERVICE_API_KEY';
  if (search !== '' || hash !== '') return 'it contains a query or a fragment';
  return /\/(?:mcp|client|agent-[ab])\/*$/.test(pathname)
    ? 'it is the address of an MCP endpoint'
    : undefined;
}
