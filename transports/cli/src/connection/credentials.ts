import { Failure } from '../failure.js';
import { isThisMachine, keyAddress } from './address.js';
import { CLIENT_FILE, findClientKey } from './client-file.js';
import { keptKeysFile, readKeptKeys } from './kept-keys.js';

/** A key and where it was found, for messages. */
export interface Credential {
  readonly key: string;
  readonly source: string;
}

export interface KeySearch {
  /** The service that the key is for. */
  readonly url: string;
  /** False where a file of the current folder named the address, and not the person. */
  readonly chosen: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Where `.mcp.json` is looked for, here and up. */
  readonly folder: string;
  /** The key of `--key-stdin`. */
  readonly given?: string | undefined;
  readonly warn: (line: string) => void;
}

/** What can be a header: printable, no spaces. */
const KEY = /^[\x21-\x7e]{1,4096}$/;

/**
 * The API key to send to a service: of `--key-stdin`, SERVICE_API_KEY, `.mcp.json` here and up, or
 * `~/.config/service-mcp/credentials.json`, in this order; undefined where there is none, as for a service that needs
 * none. Keys of files belong to the addresses written beside them. To an address that only a file of this folder
 * names, nothing of the person's environment is sent: whoever wrote the folder could have written their own.
 */
export async function findCredential(search: KeySearch): Promise<Credential | undefined> {
  const { url, env, warn } = search;
  const trusted = search.chosen || isThisMachine(url);
  const first = [
    { key: search.given ?? '', source: '--key-stdin' },
    { key: env['SERVICE_API_KEY']?.trim() ?? '', source: 'SERVICE_API_KEY' },
  ].find(({ key }) => key !== '');
  if (first && trusted) return checked(first);
  const address = keyAddress(url) ?? url;
  const near = await fromClient(address, search, trusted);
  const kept = await findKeptKey(address, near ? { ...search, warn: () => undefined } : search);
  // A folder of somebody else's may bring a key to an account of theirs: what is sent then lands there.
  if (near && kept && near.key !== kept.key)
    warn(`Using the key in ${near.source}, and not the one that is kept for you in ${kept.source}.`);
  const found = near ?? kept;
  if (!found && first) {
    warn(
      `The key of ${first.source} was not sent to ${url}: .service-mcp.json of this folder names that address, not you. ` +
        `Give it with --url or SERVICE_API_URL.`,
    );
  }
  return found;
}

async function fromClient(
  address: string,
  { env, folder, warn }: KeySearch,
  trusted: boolean,
): Promise<Credential | undefined> {
  const found = await findClientKey({ address, folder, variables: trusted ? env : undefined, warn });
  if (!found) return undefined;
  const { key, file, exposed } = found;
  if (exposed) {
    warn(
      `${file} holds a key, and other users of this machine may read it: chmod 600 it, or write \${SERVICE_API_KEY} in it.`,
    );
  }
  return checked({ key, source: file });
}

/** The key that is kept for a service, in the file of kept keys alone. */
export async function findKeptKey(
  address: string,
  { env, warn }: Pick<KeySearch, 'env' | 'warn'>,
): Promise<Credential | undefined> {
  const file = keptKeysFile(env);
  const kept = await readKeptKeys(file).catch((thrown: unknown) => {
    if (!(thrown instanceof Failure)) throw thrown;
    warn([thrown.message, thrown.next].join(' '));
    return undefined;
  });
  const key = kept?.keys.get(address);
  if (key === undefined) return undefined;
  if (kept?.readableByOthers)
    warn(`Other users of this machine may read the keys in ${file}. Run: chmod 600 ${file}`);
  return checked({ key, source: file });
}

function checked({ key, source }: Credential): Credential {
  if (KEY.test(key)) return { key, source };
  throw new Failure(`What is in ${source} is no key: it has spaces or characters that no key has.`, {
    next: 'Put the key there as it was shown, or take it out.',
  });
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
    if (text.length > 8192) break;
  }
  const key = text.trim();
  if (key !== '') return key;
  throw new Failure('--key-stdin was given, and standard input is empty.', {
    next: 'Send the key on standard input, or leave the option out.',
  });
}

/** Where keys are looked for, for messages. */
export function whereKeysAre(env: NodeJS.ProcessEnv): string {
  return `SERVICE_API_KEY, ${CLIENT_FILE} here and up, or ${keptKeysFile(env)} (--key-stdin takes one too)`;
}
