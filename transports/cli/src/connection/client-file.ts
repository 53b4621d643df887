import { dirname, join } from 'node:path';
import { isRecord, readJsonText } from '@service-mcp/core/wire';
import type { JsonObject } from '../json.js';
import { DEFAULT_URL, keyAddress } from './address.js';
import type { Credential } from './credentials.js';
import { readGuarded } from './guarded-file.js';

/** The file in which MCP clients keep the servers of a project. */
export const CLIENT_FILE = '.mcp.json';

/** Ends of the addresses at which the service speaks MCP (interface.md 4.4). */
const MCP_ROUTES = /\/(?:mcp|agent-a|agent-b|client)$/;
/** `${NAME}` and `${NAME:-default}`, as clients write them. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

interface Search {
  readonly address: string;
  readonly folder: string;
  /** Undefined: entries that name variables are skipped. */
  readonly variables: NodeJS.ProcessEnv | undefined;
  readonly warn: (line: string) => void;
}

/** The key for the service in the nearest `.mcp.json` that has one, in `folder` or above it. */
export async function findClientKey(search: Search): Promise<Credential | undefined> {
  for (let at = search.folder; ; at = dirname(at)) {
    const source = join(at, CLIENT_FILE);
    const key = await readClientFile(source, search);
    if (key !== undefined) return { key, source };
    if (dirname(at) === at) return undefined;
  }
}

/** A file that cannot be used is the client's: a warning, and the search goes on. */
async function readClientFile(file: string, search: Search): Promise<string | undefined> {
  const guarded = await readGuarded(file).catch((thrown: Error) => {
    search.warn(thrown.message);
  });
  if (!guarded) return undefined;
  const value = readJsonText(guarded.text);
  if (!isRecord(value)) {
    search.warn(`${file} is not a JSON object, so no key is taken from it.`);
    return undefined;
  }
  const servers = isRecord(value['mcpServers']) ? Object.values(value['mcpServers']) : [];
  for (const server of servers) {
    const found = isRecord(server) ? keyOf(server, search) : undefined;
    if (!found) continue;
    if (guarded.readableByOthers && !found.expanded) {
      search.warn(
        `${file} holds a key, and other users of this machine may read it: chmod 600 it, or write \${SERVICE_API_KEY} in it.`,
      );
    }
    return found.key;
  }
  return undefined;
}

/** The key of a server's entry, where it is the service's, and whether the key comes from a variable. */
function keyOf(
  server: JsonObject,
  { address, variables }: Search,
): { readonly key: string; readonly expanded: boolean } | undefined {
  const env = isRecord(server['env']) ? server['env'] : {};
  // An entry that starts a process connects to the address in its environment.
  const url = expand(server['url'] ?? env['SERVICE_API_URL'] ?? DEFAULT_URL, variables);
  if (url === undefined || keyAddress(url)?.replace(MCP_ROUTES, '') !== address) return undefined;
  const headers = isRecord(server['headers']) ? Object.entries(server['headers']) : [];
  const header = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1];
  const token = /^Bearer (.+)$/i.exec(String(header('authorization')))?.[1];
  for (const text of [header('x-service-api-key'), token, env['SERVICE_API_KEY']]) {
    const key = expand(text, variables)?.trim();
    if (key) return { key, expanded: key !== String(text).trim() };
  }
  return undefined;
}

/** Text with its variables replaced; undefined where one is not set or may not be read. */
function expand(text: unknown, variables: NodeJS.ProcessEnv | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  let missing = false;
  const expanded = text.replace(VARIABLE, (_all, name: string, fallback: string | undefined) => {
    const value = variables && (variables[name] || fallback);
    missing ||= value === undefined;
    return value ?? '';
  });
  return missing ? undefined : expanded;
}
