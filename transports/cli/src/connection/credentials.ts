import { readFile } from 'node:fs/promises';
import { Failure, fileFailure } from '../failure.js';
import { DEFAULT_URL, keyAddress } from './address.js';
import { CLIENT_FILE, findClientKey } from './client-file.js';
import { keptKeysFile, readKeptKeys } from './kept-keys.js';

/** A key and where it was found, for messages. */
export interface Credential {
  readonly key: string;
  readonly source: string;
}

interface KeySearch {
  /** The service that the key is for. */
  readonly url: string;
  /** True where the person named the address for this command, with `--url`. */
  readonly chosen: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the search for `.mcp.json` starts; it goes up from there. */
  readonly folder: string;
  /** The key of `--key-stdin`. */
  readonly given?: string | undefined;
  readonly warn: (line: string) => void;
}

/** Text that fits in a header: printable, no spaces. */
const KEY = /^[\x21-\x7e]{1,4096}$/;
const MAX_INPUT_LENGTH = 8192;

/**
 * The API key to send to a service, from `--key-stdin`, SERVICE_API_KEY or its file, `.mcp.json` here and up, or
 * `~/.config/service-mcp/credentials.json`, in this order; undefined where there is none, as for a service that needs
 * none. A key goes only to the address that it was made for: those of files to the addresses written beside them, the one
 * of the environment to SERVICE_API_URL (or the default address). Where no SERVICE_API_URL says otherwise, `--url` names
 * its address too. To an address that only a file of this folder names, nothing of the person's environment is sent:
 * whoever wrote the folder could have written their own.
 */
export async function findCredential(search: KeySearch): Promise<Credential | undefined> {
  const { url, chosen, env, warn } = search;
  const address = keyAddress(url) ?? url;
  const own = env['SERVICE_API_URL']?.trim() || undefined;
  const isOwn = keyAddress(own ?? DEFAULT_URL) === address;
  const given = search.given && (chosen || isOwn) ? { key: search.given, source: '--key-stdin' } : undefined;
  const variable = ['SERVICE_API_KEY', 'SERVICE_API_KEY_FILE'].find((name) => env[name]?.trim());
  const isForUrl = isOwn || (chosen && own === undefined);
  if (given) return checked(given);
  if (variable !== undefined && isForUrl)
    return checked({ key: await keyOf(variable, env), source: variable });
  const found = await findClientKey({ ...search, address, variables: chosen || isOwn ? env : undefined });
  const near = found && checked(found);
  const kept = await findKeptKey(address, near ? { ...search, warn: () => undefined } : search);
  // Somebody else's folder may hold a key to their own account, which would receive what is sent.
  if (near && kept && near.key !== kept.key)
    warn(`Using the key in ${near.source}, and not the one that is kept for you in ${kept.source}.`);
  const unsent = search.given ? '--key-stdin' : variable;
  if (!near && !kept && unsent !== undefined) {
    warn(
      chosen
        ? `The key of ${unsent} was not sent to ${url}: SERVICE_API_URL says that it is for ${own}. Give the key with --key-stdin.`
        : `The key of ${unsent} was not sent to ${url}: .service-mcp.json of this folder names that address, not you. Give it with --url or SERVICE_API_URL.`,
    );
  }
  return near ?? kept;
}

/** The key in a variable of the environment, or in the file that it names. Throws a Failure. */
async function keyOf(variable: string, env: NodeJS.ProcessEnv): Promise<string> {
  const value = env[variable]?.trim() ?? '';
  if (!variable.endsWith('_FILE')) return value;
  const text = await readFile(value, 'utf8').catch((thrown: unknown) => {
    throw fileFailure(value, 'read', `Name a file that you may read in ${variable}, or unset it.`, thrown);
  });
  return text.trim();
}

/** The key that is kept for a service, in the file of kept keys alone. */
export async function findKeptKey(
  address: string,
  { env, warn }: Pick<KeySearch, 'env' | 'warn'>,
): Promise<Credential | undefined> {
  const file = keptKeysFile(env);
  const kept = await readKeptKeys(file).catch((thrown: unknown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    warn(thrown.line);
  });
  const key = kept?.keys.get(address);
  if (key === undefined) return undefined;
  if (kept?.readableByOthers)
    warn(`Other users of this machine may read the keys in ${file}. Run: chmod 600 ${file}`);
  return checked({ key, source: file });
}

function checked(credential: Credential): Credential {
  if (KEY.test(credential.key)) return credential;
  throw new Failure(
    `The text in ${credential.source} is not a key: a key has no spaces or special characters.`,
    {
      next: 'Put the key there as it was shown, or remove it.',
    },
  );
}

/** Reads the key of `--key-stdin`: one line. */
export async function readKey(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY) {
    throw new Failure('--key-stdin reads the key from a pipe, so that it is not shown.', {
      next: 'Run it like: service-mcp … --key-stdin < FILE',
    });
  }
  let text = '';
  for await (const part of stdin) {
    text += String(part);
    if (text.length > MAX_INPUT_LENGTH) break;
  }
  const key = text.trim();
  if (key !== '') return key;
  throw new Failure('--key-stdin was given, but standard input is empty.', {
    next: 'Send the key on standard input, or leave the option out.',
  });
}

/** The places that are searched for a key, for messages. */
export function keyPlaces(env: NodeJS.ProcessEnv): string {
  return `SERVICE_API_KEY, SERVICE_API_KEY_FILE, ${CLIENT_FILE} here and up, or ${keptKeysFile(env)} (--key-stdin takes one too)`;
}
