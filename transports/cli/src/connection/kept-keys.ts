import { homeFolder, isRecord, makeFolder, readJsonText, systemCode } from '@service-mcp/core/wire';
import { chmod, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskRemedyOr, Failure, fileFailure } from '../failure.js';
import type { JsonObject } from '../json.js';
import { replaceJsonFile } from '../replace-file.js';
import { keyAddress } from './address.js';
import { readGuarded } from './guarded-file.js';

/** The longest wait for a lock of another command. */
const LOCK_TIMEOUT_MS = 5_000;

/** Path of the file of kept keys, by service address: `{"http://127.0.0.1:8080": {"key": "…", "saved_at": "…"}}`. */
export function keptKeysFile(env: NodeJS.ProcessEnv): string {
  return join(configHome(env), 'service-mcp', 'credentials.json');
}

/** The folder of the person's settings. A relative XDG_CONFIG_HOME is ignored (XDG Base Directory Specification). */
export function configHome(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'];
  return config && isAbsolute(config) ? config : join(homeFolder(env), '.config');
}

async function readEntries(path: string): Promise<{ entries: JsonObject; readableByOthers: boolean }> {
  const guarded = await readGuarded(path);
  const entries = guarded ? readJsonText(guarded.text) : {};
  if (isRecord(entries)) return { entries, readableByOthers: guarded?.readableByOthers ?? false };
  throw new Failure(`${path} is damaged: it must be a JSON object of keys by service address.`, {
    next: 'Fix it, or delete it and make new keys.',
  });
}

/** The kept keys by address in one form, and whether others may read them. Throws a Failure for a damaged file. */
export async function readKeptKeys(
  file: string,
): Promise<{ readonly keys: ReadonlyMap<string, string>; readonly readableByOthers: boolean }> {
  const { entries, readableByOthers } = await readEntries(file);
  const keys = new Map<string, string>();
  for (const [text, entry] of Object.entries(entries)) {
    const address = keyAddress(text);
    if (address !== undefined && isRecord(entry) && typeof entry['key'] === 'string')
      keys.set(address, entry['key']);
  }
  return { keys, readableByOthers };
}

/**
 * Keeps the key of a service: the file is for this user alone (600, its folder 700) and changes in one step, one
 * writer at a time. False where the address has a key already, which is left as it is unless `replace`.
 */
export async function keepKey(
  file: string,
  address: string,
  key: string,
  options: { readonly replace?: boolean } = {},
): Promise<boolean> {
  return whileLocked(file, async () => {
    // A link to another file stays a link.
    const target = await realpath(file).catch(() => file);
    const { entries } = await readEntries(target);
    const others = Object.entries(entries).filter(([text]) => keyAddress(text) !== address);
    if (others.length < Object.keys(entries).length && !options.replace) return false;
    const kept = Object.fromEntries([...others, [address, { key, saved_at: new Date().toISOString() }]]);
    await replaceJsonFile(target, kept, 0o600).catch(unwritable(file));
    return true;
  });
}

/** Throws a Failure where a key could not be kept: checked before a key is made. */
export async function checkKeepable(file: string, address: string, replace: boolean): Promise<void> {
  await whileLocked(file, async () => {
    const { keys } = await readKeptKeys(file);
    if (keys.has(address) && !replace) {
      throw new Failure(`${file} holds a key for ${address} already.`, {
        next: 'Add --replace to keep the new key instead; the old one stays valid until it is revoked.',
      });
    }
  });
}

async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  await prepareFolder(dirname(file)).catch(unwritable(file));
  const lock = `${file}.lock`;
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') unwritable(file)(thrown);
      if (Date.now() > deadline) {
        throw new Failure(`Another command holds ${lock}.`, {
          next: 'If none is running, one was killed: delete that file and try again.',
        });
      }
      await sleep(20 + Math.random() * 30);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Makes the folder, or closes it to other users. */
async function prepareFolder(folder: string): Promise<void> {
  makeFolder(folder, 0o700);
  const { mode } = await stat(folder);
  if (process.getuid && (mode & 0o077) !== 0) await chmod(folder, 0o700);
}

function unwritable(file: string): (thrown: unknown) => never {
  return (thrown) => {
    const remedy = diskRemedyOr(thrown, 'Fix the permissions of its folder');
    throw fileFailure(file, 'written', `${remedy}, or choose another with XDG_CONFIG_HOME.`, thrown);
  };
}
