import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, systemCode } from '../failure.js';
import { keyAddress } from './address.js';
import { isObject, parseObject, readGuarded } from './guarded-file.js';

/** How long another command may hold the file. */
const LOCK_MS = 5_000;

/** Where keys are kept by service address: `{"http://127.0.0.1:8080": {"key": "…", "saved_at": "…"}}`. */
export function keptKeysFile(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'];
  const home = env['HOME'] || homedir();
  // A relative one counts as none (XDG Base Directory Specification).
  const folder = config && isAbsolute(config) ? config : join(home, '.config');
  return join(folder, 'service-mcp', 'credentials.json');
}

/** The kept keys by address in one form, and whether others may read them. Throws a Failure for a damaged file. */
export async function readKeptKeys(
  file: string,
): Promise<{ readonly keys: ReadonlyMap<string, string>; readonly readableByOthers: boolean }> {
  const guarded = await readGuarded(file);
  if (!guarded) return { keys: new Map(), readableByOthers: false };
  const entries = parseObject(guarded.text);
  if (!entries) throw damaged(file);
  const keys = new Map<string, string>();
  for (const [text, entry] of Object.entries(entries)) {
    const address = keyAddress(text);
    if (address !== undefined && isObject(entry) && typeof entry['key'] === 'string')
      keys.set(address, entry['key']);
  }
  return { keys, readableByOthers: guarded.readableByOthers };
}

/**
 * Keeps the key of a service: the file is for this user alone (600, its folder 700) and changes in one step, one
 * writer at a time. False where the address has a key, which is left as it is unless `replace`.
 */
export async function keepKey(
  file: string,
  address: string,
  key: string,
  options: { readonly replace?: boolean } = {},
): Promise<boolean> {
  return whileLocked(file, async () => {
    // A link to where a person keeps such files stays a link.
    const target = await realpath(file).catch(() => file);
    const guarded = await readGuarded(target);
    const entries = guarded ? parseObject(guarded.text) : {};
    if (!entries) throw damaged(file);
    const others = Object.entries(entries).filter(([text]) => keyAddress(text) !== address);
    if (others.length < Object.keys(entries).length && !options.replace) return false;
    const kept = Object.fromEntries([...others, [address, { key, saved_at: new Date().toISOString() }]]);
    const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await writeFile(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await rename(draft, target);
    } catch (thrown) {
      await rm(draft, { force: true });
      throw unwritable(file, thrown);
    }
    return true;
  });
}

/** Throws a Failure where a key could not be kept, so that none is made in vain. */
export async function checkKeepable(file: string, address: string, replace: boolean): Promise<void> {
  await whileLocked(file, async () => {
    const { keys } = await readKeptKeys(file);
    if (keys.has(address) && !replace) {
      throw new Failure(`${file} holds a key for ${address} already.`, {
        next: 'Add --replace to put the new key in its place; the old one goes on until it is revoked.',
      });
    }
  });
}

async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  await prepareFolder(dirname(file), file);
  const lock = `${file}.lock`;
  for (const giveUpAt = Date.now() + LOCK_MS; ;) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw unwritable(file, thrown);
      if (Date.now() > giveUpAt) {
        throw new Failure(`Another command holds ${lock}.`, {
          next: 'Where none runs, one was killed in the middle: delete that file and try again.',
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

/** Makes the folder, or takes it from everyone else. */
async function prepareFolder(folder: string, file: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(folder);
    if (process.getuid && (mode & 0o077) !== 0) await chmod(folder, 0o700);
  } catch (thrown) {
    throw unwritable(file, thrown);
  }
}

function unwritable(file: string, thrown: unknown): Failure {
  return new Failure(`${file} cannot be written (${systemCode(thrown) ?? 'unknown error'}).`, {
    next: 'Mend the permissions of its folder, or choose another with XDG_CONFIG_HOME.',
    cause: thrown,
  });
}

function damaged(file: string): Failure {
  return new Failure(`${file} is damaged: it must be a JSON object of keys by service address.`, {
    next: 'Mend it, or delete it and make new keys.',
  });
}
