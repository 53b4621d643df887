import { stringify as stringifyToml } from 'smol-toml';

/** A value in the settings of a client: a server, or all of them. */
export type Settings = Readonly<Record<string, unknown>>;

/** The key that a client sends: written out, or taken from a variable of the client's environment. */
export type KeyText = { readonly text: string } | { readonly variable: string };

export interface LocalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How an MCP client writes a server into its settings. */
export interface ClientFormat {
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** The settings of the person, as pages name them. */
  readonly place: string;
  /** The same for one project, relative to its folder; none where the client knows no such file. */
  readonly projectFiles: readonly string[];
  /** The keys that lead to its servers, in these settings. */
  readonly path: (settings: unknown) => readonly string[];
  readonly remote: (url: string, key: KeyText | undefined) => Settings;
  readonly local: (command: LocalCommand) => Settings;
  /** False where the settings cannot name a variable. */
  readonly variables: boolean;
  /** The step that logs a person in. */
  readonly login: (name: string) => string;
}

const NAME = 'service-mcp';
const HEADER = 'X-Service-API-Key';

/** The header of the key, where `reference` writes a variable as the client replaces it. */
const headers = (key: KeyText | undefined, reference: (variable: string) => string) =>
  key && { headers: { [HEADER]: 'text' in key ? key.text : reference(key.variable) } };
const dollar = (variable: string) => `\${${variable}}`;
const dollarEnv = (variable: string) => `\${env:${variable}}`;

const commandFields = ({ command, args, env }: LocalCommand) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 && { env }),
});

/** By the word that names each on the command line. Formats of November 2026. */
export const CLIENTS = {
  claude: {
    title: 'Claude Code',
    format: 'json',
    place: '~/.claude.json',
    projectFiles: ['.mcp.json'],
    path: () => ['mcpServers'],
    remote: (url, key) => ({ type: 'http', url, ...headers(key, dollar) }),
    local: (command) => ({ type: 'stdio', ...commandFields(command) }),
    variables: true,
    login: (name) => `Run: claude mcp login ${name}`,
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    place: '~/.cursor/mcp.json',
    projectFiles: ['.cursor/mcp.json'],
    path: () => ['mcpServers'],
    remote: (url, key) => ({ url, ...headers(key, dollarEnv) }),
    local: commandFields,
    variables: true,
    login: () => 'In the settings of Cursor, under MCP, turn the server on and log in.',
  },
  vscode: {
    title: 'Visual Studio Code',
    format: 'json',
    place: 'mcp.json (MCP: Open User Configuration)',
    projectFiles: ['.vscode/mcp.json'],
    path: () => ['servers'],
    remote: (url, key) => ({ type: 'http', url, ...headers(key, dollarEnv) }),
    local: (command) => ({ type: 'stdio', ...commandFields(command) }),
    variables: true,
    login: () => 'Run "MCP: List Servers", start the server and log in.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    place: '~/.codex/config.toml',
    projectFiles: ['.codex/config.toml'],
    path: () => ['mcp_servers'],
    remote: (url, key) => ({
      url,
      ...(key &&
        ('text' in key
          ? { http_headers: { [HEADER]: key.text } }
          : { env_http_headers: { [HEADER]: key.variable } })),
    }),
    local: commandFields,
    variables: true,
    login: (name) => `Run: codex mcp login ${name}`,
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    place: '~/.gemini/settings.json',
    projectFiles: ['.gemini/settings.json'],
    path: () => ['mcpServers'],
    remote: (url, key) => ({ httpUrl: url, ...headers(key, dollar) }),
    local: commandFields,
    variables: true,
    login: (name) => `In Gemini CLI, write: /mcp auth ${name}`,
  },
  opencode: {
    title: 'opencode',
    format: 'json',
    place: '~/.config/opencode/opencode.json',
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    // Version 2 has servers of its own in mcp.servers, and reads those of version 1 in mcp too.
    path: (settings) => {
      const mcp = isSettings(settings) ? settings['mcp'] : undefined;
      return isSettings(mcp) && isSettings(mcp['servers']) && mcp['servers']['type'] === undefined
        ? ['mcp', 'servers']
        : ['mcp'];
    },
    remote: (url, key) => ({ type: 'remote', url, ...headers(key, (variable) => `{env:${variable}}`) }),
    local: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length > 0 && { environment: env }),
    }),
    variables: true,
    login: (name) => `Run: opencode mcp auth ${name}`,
  },
  zed: {
    title: 'Zed',
    format: 'json',
    place: '~/.config/zed/settings.json',
    projectFiles: [],
    path: () => ['context_servers'],
    remote: (url, key) => ({ url, ...headers(key, String) }),
    local: commandFields,
    variables: false,
    login: () => 'In the settings of Zed, under AI, MCP Servers, authenticate the server.',
  },
} as const satisfies Readonly<Record<string, ClientFormat>>;
export type ClientName = keyof typeof CLIENTS;

/** An entry alone, as it stands in the settings of the client. */
export function showEntry(
  client: Pick<ClientFormat, 'format' | 'path'>,
  name: string,
  entry: Settings,
  settings: unknown = {},
): string {
  const whole = [...client.path(settings), name].reduceRight<Settings>(
    (value, key) => ({ [key]: value }),
    entry,
  );
  return client.format === 'toml' ? stringifyToml(whole).trimEnd() : JSON.stringify(whole, null, 2);
}

/** The parts of the command that adds a server to Claude Code. */
export function claudeCommand(url: string, key?: string): string[] {
  const header = key === undefined ? [] : [`--header "${HEADER}: ${key}"`];
  return [`claude mcp add --transport http ${NAME}`, url, ...header];
}

/** How a client is told about a service: a command to run, or the text of a file. */
export interface ClientSetup {
  readonly id: string;
  readonly label: string;
  /** The file that `text` belongs to; undefined for a command. */
  readonly file?: string;
  readonly text: string;
}

interface Connection {
  /** The MCP endpoint. */
  readonly mcp: string;
  /** The address of the service, for a program that carries calls to it. */
  readonly base: string;
  /** Undefined where the service asks for no credential. */
  readonly key: string | undefined;
}

/** The set-up of every client, for a page. */
export function clientSetups({ mcp, base, key }: Connection): ClientSetup[] {
  const env = { SERVICE_API_URL: base, ...(key !== undefined && { SERVICE_API_KEY: key }) };
  const stdio = commandFields({ command: NAME, args: ['stdio'], env });
  const setups = Object.entries(CLIENTS).map(([id, client]): ClientSetup => {
    const { title: label, place: file } = client;
    if (client === CLIENTS.claude) return { id, label, text: claudeCommand(mcp, key).join(' \\\n  ') };
    const entry = client.remote(mcp, key === undefined ? undefined : { text: key });
    return { id, label, file, text: showEntry(client, NAME, entry) };
  });
  const text = showEntry({ format: 'json', path: () => ['mcpServers'] }, NAME, stdio);
  return [...setups, { id: 'stdio', label: 'stdio', file: 'mcp.json', text }];
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
