import { isRefusal } from '../failure.js';
import { commandName } from '../command-name.js';
import { DEFAULT_URL, isThisMachine } from './address.js';
import { keyPlaces, type Credential } from './credentials.js';
import { keptKeysFile } from './kept-keys.js';
import { quoted } from '../terminal/format.js';

/** The next step where no service answers at an address. */
export function startHint(url: string): string {
  return `${startAt(url)}   (or give another address with --url or SERVICE_API_URL)`;
}

/** How a service comes to an address: by a command on this machine, where it is not that of another one or of a proxy. */
function startAt(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (!isThisMachine(url) || protocol !== 'http:' || pathname !== '/')
    return 'Check the address, and that the service runs there';
  const host = hostname === '[::1]' ? ' --host ::1' : '';
  return `Start it with: ${commandName()} serve${host}${url === DEFAULT_URL ? '' : ` --port ${port || '80'}`}`;
}

/** What a key may do, and the workspace that it is confined to: a wider one should reach the same. */
export interface KeyReach {
  readonly scopes: readonly string[];
  readonly workspaceId?: string;
}

/** The next step for a key that is missing, wrong or too narrow. On the service's own machine, making one needs no key. */
export function keyRemedy(
  url: string,
  status: number | undefined,
  details: unknown,
  credential: Credential | undefined,
  held: KeyReach = { scopes: [] },
): string | undefined {
  const { scope, account } = (details ?? {}) as { scope?: unknown; account?: unknown }; // of any shape
  if (status === 403 && typeof scope === 'string' && credential) {
    const scopes = [...new Set([...held.scopes, scope])].map((each) => ` --scope ${quoted(each)}`).join('');
    const workspace = held.workspaceId === undefined ? '' : ` --workspace ${quoted(held.workspaceId)}`;
    const make = `${commandName()} keys create NAME${scopes}${workspace} --account EMAIL`;
    return `The key is from ${credential.source}. On the service's machine, make one that may: ${make}`;
  }
  if (status !== 401) return undefined;
  if (credential && account === 'disabled')
    return `The key is from ${credential.source}. On the service's machine: ${commandName()} accounts enable EMAIL`;
  // A given key has precedence over the kept ones: a new one must be given too.
  const isGiven = credential !== undefined && credential.source !== keptKeysFile(process.env);
  const own = `${commandName()} keys create cli${isGiven ? '' : ' --save'}${credential && !isGiven ? ' --replace' : ''} --account`;
  const make = !isThisMachine(url)
    ? `Make one on the service's machine: ${commandName()} keys create NAME --account EMAIL`
    : isGiven
      ? `Make one and give it there: ${own}`
      : `Make one: ${own} --url ${url} (with the --data of that service, if it has one)`;
  if (credential) return `The key is from ${credential.source}. ${make}`;
  return `No key for ${url} is in ${keyPlaces(process.env)}. ${make}`;
}

/** For `catch` of a call of the auth plugin's tools: explains a deployment without them. Rethrows everything else. */
export function explainWithoutAccounts(thrown: unknown): never {
  if (!isRefusal(thrown, 'UNKNOWN_TOOL')) throw thrown;
  throw thrown.with(
    {
      next: 'Name @service-mcp/plugin-auth among the plugins of its deployment file (--config), as deploy/hosted.json does.',
    },
    'This deployment keeps no accounts and no keys: it has one local owner, who needs none.',
  );
}

/**
 * For `catch` of a call that takes the id of a `thing` alone: names the command that lists them, where the service would
 * name a tool. `list`: that command with its flags.
 */
export function explainWrongId(thing: string, id: string, list: string): (thrown: unknown) => never {
  return (thrown) => {
    if (!isRefusal(thrown, 'NOT_FOUND', 'INVALID_ARGUMENT')) return explainWithoutAccounts(thrown);
    throw thrown.with({ next: `Run: ${commandName()} ${list}` }, `You have no ${thing} ${id}.`);
  };
}
