import { dirname, join } from 'node:path';
import { DEFAULT_URL, keyAddress } from './address.js';
import { isObject, parseObject, readGuarded } from './guarded-file.js';

/** Where MCP clients keep the servers of a project. */
export const CLIENT_FILE = '.mcp.json';

/** Ends of the addresses at which the service speaks MCP (interface.md 4.4). */
const MCP_ROUTES = /\/(?:mcp|agent-a|agent-b|client)$/;
/** `${NAME}` and `${NAME:-default}`, as clients write them. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export interface ClientKey {
  readonly key: string;
  readonly file: string;
  /** True where the key itself is written there and other users of this machine may read it. */
  readonly exposed: boolean;
}

interface Search {
  readonly address: string;
  readonly folder: string;
  /** Undefined: entries that name variables are passed over. */
  readonly variables: NodeJS.ProcessEnv | undefined;
  readonly warn: (line: string) => void;
}

/** The key for the service in the nearest `.mcp.json` that has one, in `folder` or above it. */
export async function findClientKey(search: Search): Promise<ClientKey | undefined> {
  for (let at = search.folder; ; at = dirname(at)) {
    const found = await readClientFile(join(at, CLIENT_FILE), search);
    if (found || dirname(at) === at) return found;
  }
}

/** The file is the client's: where it is no good, that is said, and the search goes on. */
async function readClientFile(file: string, search: Search): Promise<ClientKey | undefined> {
  const guarded = await readGuarded(file).catch((thrown: Error) => {
    search.warn(thrown.message);
    return undefined;
  });
  if (!guarded) return undefined;
  const value = parseObject(guarded.text);
  if (!value) {
    search.warn(`${file} is no JSON object, so that no key is taken from it.`);
    return undefined;
  }
  const servers = value['mcpServers'];
  if (!isObject(servers)) return undefined;
  for (const server of Object.values(servers)) {
    if (!isObject(server)) continue;
    const expanding = new Expansion(search.variables);
    const key = keyOf(server, search.address, expanding);
    if (key) return { key, file, exposed: guarded.readableByOthers && !expanding.used };
  }
  return undefined;
}

function keyOf(
  server: Readonly<Record<string, unknown>>,
  address: string,
  expanding: Expansion,
): string | undefined {
  const env = isObject(server['env']) ? server['env'] : {};
  // An entry that starts a process goes to the address in its environment.
  const at = server['url'] ?? env['SERVICE_API_URL'] ?? DEFAULT_URL;
  const url = typeof at === 'string' ? expanding.expand(at) : undefined;
  if (url === undefined || serviceOf(url) !== address) return undefined;
  expanding.used = false; // a variable in the address hides no key
  const headers = isObject(server['headers']) ? Object.entries(server['headers']) : [];
  const header = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1];
  const bearer = header('authorization');
  const token = typeof bearer === 'string' ? /^Bearer +(.+)$/i.exec(bearer)?.[1] : undefined;
  for (const text of [header('x-service-api-key'), token, env['SERVICE_API_KEY']]) {
    const key = typeof text === 'string' ? expanding.expand(text)?.trim() : undefined;
    if (key) return key;
  }
  return undefined;
}

/** The service that an MCP address belongs to. */
function serviceOf(url: string): string | undefined {
  return keyAddress(url)?.replace(MCP_ROUTES, '');
}

/** Puts variables in; text that names one which is not set, or may not be read, comes to nothing. */
class Expansion {
  used = false;
  readonly #variables: NodeJS.ProcessEnv | undefined;

  constructor(variables: NodeJS.ProcessEnv | undefined) {
    this.#variables = variables;
  }

  expand(text: string): string | undefined {
    let missing = false;
    const expanded = text.replace(VARIABLE, (_all, name: string, fallback: string | undefined) => {
      this.used = true;
      const value = this.#variables && (this.#variables[name] || fallback);
      if (value === undefined) missing = true;
      return value ?? '';
    });
    return missing ? undefined : expanded;
  }
}
