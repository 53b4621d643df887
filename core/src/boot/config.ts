import { readFileSync } from 'node:fs';
import { Type, type Static, type TObject } from 'typebox';
import type { Issue } from '../errors.js';
import { closed } from '../schemas.js';
import { BootError, suggest } from './boot-error.js';
import { limits } from './limit-settings.js';
import { parseSetting } from './parse-setting.js';
import type { Validators } from '../call/validate.js';

const words = (description: string, byDefault: string[], env: string) =>
  Type.Array(Type.String({ minLength: 1 }), { description, default: byDefault, 'x-env': env });

const origin = (description: string, env: string) =>
  Type.Optional(Type.String({ description, format: 'uri', 'x-env': env }));

/** The sections of a deployment file that are core's own; every other key is the section of a plugin or transport. */
export const coreSections = {
  server: Type.Object(
    {
      host: Type.String({
        description: 'Address to bind',
        default: '127.0.0.1',
        minLength: 1,
        'x-env': 'SERVICE_HOST',
      }),
      port: Type.Integer({
        description: 'Port to bind; 0 takes a free one',
        default: 8080,
        minimum: 0,
        maximum: 65535,
        'x-env': 'SERVICE_PORT',
      }),
      base_url: origin('Origin that clients use, where it is not the bound address', 'SERVICE_BASE_URL'),
      mcp_url: origin('Origin of the MCP endpoints, where it is not base_url', 'SERVICE_MCP_URL'),
      web_url: origin(
        'Origin of the pages that people see (login, consent), where it is not base_url',
        'SERVICE_WEB_URL',
      ),
      allowed_hosts: words(
        'Further Host header values that are served, each with its port where clients send one; pages of these hosts may call the service',
        [],
        'SERVICE_ALLOWED_HOSTS',
      ),
      loopback_pages: Type.Optional(
        Type.Enum(['mcp', 'none', 'all'], {
          description:
            'What pages of other ports of this machine may call: the MCP endpoints (mcp; the default where a credential is needed), nothing (none; the default elsewhere), everything (all)',
          'x-env': 'SERVICE_LOOPBACK_PAGES',
        }),
      ),
      trusted_proxies: words(
        'Addresses and networks (10.0.0.0/8) of proxies whose X-Forwarded-For, -Proto and -Host are trusted; "loopback" is this machine',
        [],
        'SERVICE_TRUSTED_PROXIES',
      ),
      call_timeout_ms: Type.Integer({
        description: 'Longest time a call may take',
        default: 30_000,
        minimum: 100,
        maximum: 600_000,
        'x-env': 'SERVICE_CALL_TIMEOUT_MS',
      }),
    },
    closed,
  ),
  database: Type.Object(
    {
      url: Type.Optional(
        Type.String({
          description: 'PostgreSQL connection URL; without it the embedded SQLite engine is used',
          pattern: '^postgres(ql)?://',
          'x-env': 'DATABASE_URL',
          'x-secret': true,
        }),
      ),
      connect_timeout_ms: Type.Integer({
        description: 'How long a start waits for PostgreSQL',
        default: 10_000,
        minimum: 100,
        maximum: 600_000,
        'x-env': 'DATABASE_CONNECT_TIMEOUT_MS',
      }),
    },
    closed,
  ),
  storage: Type.Object(
    {
      data_dir: Type.Optional(
        Type.String({
          description: 'Folder of everything that is not in PostgreSQL; default ~/.local/share/service-mcp',
          minLength: 1,
          'x-env': 'SERVICE_DATA_DIR',
        }),
      ),
    },
    closed,
  ),
  sessions: Type.Object(
    {
      idle_minutes: Type.Integer({
        description: 'After how many minutes without a request the MCP session of a client ends',
        default: 60,
        minimum: 1,
        maximum: 10_080,
        'x-env': 'SERVICE_SESSION_IDLE_MINUTES',
      }),
      per_credential: Type.Integer({
        description:
          'How many MCP sessions one credential has at most; the one that was idle longest gives way',
        default: 1000,
        minimum: 1,
        maximum: 100_000,
        'x-env': 'SERVICE_SESSIONS_PER_CREDENTIAL',
      }),
    },
    closed,
  ),
  limits,
  toolsets: Type.Object(
    {
      allowed: words(
        'Ceiling of what any request can call: a level (light, standard, complete), toolset ids, tool names',
        ['complete'],
        'SERVICE_TOOLSETS_ALLOWED',
      ),
      default: words('What a request sees that asks for nothing', ['standard'], 'SERVICE_TOOLSETS_DEFAULT'),
      exclude: words('Toolsets and tools that are never shown or called', [], 'SERVICE_TOOLSETS_EXCLUDE'),
      read_only: Type.Boolean({
        description: 'Keep only tools that read',
        default: false,
        'x-env': 'SERVICE_READ_ONLY',
      }),
    },
    closed,
  ),
  workers: Type.Object(
    {
      run: Type.Enum(['child', 'inside', 'elsewhere'], {
        description:
          'Where serve does heavy background work (indexing, training, maintenance): in a child process while there is some, inside the service, or not at all, because service-mcp worker does it',
        default: 'child',
        'x-env': 'SERVICE_WORKERS',
      }),
      idle_ms: Type.Integer({
        description: 'After how long without work the child process ends, which returns its memory',
        default: 60_000,
        minimum: 1000,
        maximum: 86_400_000,
        'x-env': 'SERVICE_WORKERS_IDLE_MS',
      }),
    },
    closed,
  ),
  log: Type.Object(
    {
      level: Type.Enum(['debug', 'info', 'warn', 'error', 'silent'], {
        description: 'Least level that is logged, to standard error',
        default: 'info',
        'x-env': 'SERVICE_LOG_LEVEL',
      }),
    },
    closed,
  ),
} as const;

type Values<S extends Readonly<Record<string, TObject>>> = { [K in keyof S]: Static<S[K]> };

export type CoreConfig = Values<typeof coreSections>;

/** The values of several sections of one file, by name; see {@link readSection}. */
export function readSections<S extends Readonly<Record<string, TObject>>>(
  sections: S,
  file: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  validators: Validators,
): Values<S> {
  return Object.fromEntries(
    Object.entries(sections).map(([name, schema]) => [
      name,
      readSection(name, schema, file[name], env, validators),
    ]),
  ) as Values<S>; // each value was checked by the schema of its name
}

/** Throws a BootError for a key of a file that is not one of its sections, with the one that it may stand for, and `remedy`. */
export function refuseUnknownSections(
  file: Readonly<Record<string, unknown>>,
  known: readonly string[],
  remedy: string,
): void {
  const unknown = Object.keys(file).find((key) => key !== '$schema' && !known.includes(key));
  if (unknown === undefined) return;
  throw new BootError(
    `"${unknown}" in the deployment file`,
    'no part of this deployment has that section',
    `${suggest(unknown, known)} ${remedy}`,
  );
}

interface Property {
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly 'x-env'?: string;
  readonly 'x-secret'?: boolean;
}

/**
 * The values of one section: what the file says, over it the environment, under it the defaults.
 * Refuses unknown keys and values out of bounds, and names the key or the variable.
 */
export function readSection<S extends TObject>(
  name: string,
  schema: S,
  given: unknown,
  env: NodeJS.ProcessEnv,
  validators: Validators,
): Static<S> {
  const fault = validators.faultOf(schema);
  if (fault !== undefined) throw new BootError(`settings of "${name}"`, fault, 'Correct the schema.');
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw new BootError(`${name} in the deployment file`, 'it is not an object', `Write "${name}": { … }.`);
  }
  const values: Record<string, unknown> = { ...(given as Record<string, unknown> | undefined) };
  const fromEnv = new Map<string, string>();
  for (const [key, property] of Object.entries(schema.properties as Record<string, Property>)) {
    const variable = property['x-env'];
    const text = variable === undefined ? undefined : readVariable(variable, property, env);
    if (variable === undefined || text === undefined || text === '') continue;
    values[key] = parseSetting(text, property);
    fromEnv.set(key, variable);
  }
  const [issue] = validators.issues(schema, values);
  if (issue) throw refusal(name, issue, schema, fromEnv, Object.keys(given ?? {}));
  return values as Static<S>; // checked by the schema
}

/** The value of a variable. That of a secret may be in the file that `<variable>_FILE` names. */
function readVariable(variable: string, property: Property, env: NodeJS.ProcessEnv): string | undefined {
  const file = property['x-secret'] === true ? env[`${variable}_FILE`] : undefined;
  if (file === undefined || file === '') return env[variable];
  const place = `environment variable ${variable}_FILE`;
  if (env[variable]) throw new BootError(place, `${variable} is set too`, 'Unset one of them.');
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/u, '');
  } catch {
    throw new BootError(place, 'the file cannot be read', 'Name a file that this process may read.');
  }
  if (text === '') throw new BootError(place, 'the file is empty', `Write the value of ${variable} into it.`);
  return text;
}

function refusal(
  name: string,
  issue: Issue,
  schema: TObject,
  fromEnv: ReadonlyMap<string, string>,
  given: readonly string[],
): BootError {
  const key = issue.path.split('/')[1] ?? '';
  const variable = fromEnv.get(key);
  const property: Property | undefined = schema.properties[key];
  if (property?.default !== undefined && variable === undefined && !given.includes(key))
    return new BootError(
      `settings of "${name}"`,
      `its default of ${key} ${issue.message}`,
      'Correct the schema.',
    );
  const place =
    variable === undefined ? `${name}.${key} in the deployment file` : `environment variable ${variable}`;
  const known = Object.keys(schema.properties);
  const [problem = issue.message] = issue.message.split('. '); // what an unknown field was meant to be is the remedy
  return new BootError(
    place,
    problem,
    known.includes(key) ? remedyOf(issue, schema, key) : suggest(key, known),
  );
}

function remedyOf({ message }: Issue, schema: TObject, key: string): string {
  const property = schema.properties[key] as Property;
  if (property.format === 'uri' && message !== 'is required')
    return 'Write it with its scheme, such as https://memory.example.com.';
  if (property.default !== undefined || !schema.required?.includes(key))
    return 'Change it, or leave it out for the default.';
  if (message !== 'is required') return 'Change it.';
  const variable = property['x-env'];
  return variable === undefined ? 'Write it there.' : `Write it there, or set ${variable}.`;
}
