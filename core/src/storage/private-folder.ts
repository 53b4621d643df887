import { accessSync, chmodSync, constants, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../boot/boot-error.js';
import type { Log } from '../log.js';
import { makeFolder } from '../wire/make-folder.js';
import { diskRemedy, systemReason } from '../wire/system-error.js';

const OTHERS = 0o077;
const STICKY = 0o1000;
/** What a data folder holds; the last is in each volume of ext4. */
const OWN = /^(?:service\.db.*|lancedb|on-postgresql|lost\+found)$/;

/**
 * Makes the data folder, for its user alone, and what is missing above it. Throws BootError where that is impossible,
 * where it cannot be read and written, or where other users of the machine share it.
 */
export function makeDataFolder(folder: string): void {
  try {
    makeFolder(resolve(folder), 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException; // all that is thrown here is the system's
    const isFile = code === 'EEXIST';
    const remedy = isFile ? 'Move that file away' : (diskRemedy(code) ?? 'Fix its permissions');
    throw new BootError(
      `data folder ${folder}`,
      `it cannot be used (${isFile ? 'it is not a folder, EEXIST' : systemReason(code)})`,
      `${remedy}, or choose another with --data or SERVICE_DATA_DIR.`,
      error,
    );
  }
  if (isShared(folder))
    throw new BootError(
      `data folder ${folder}`,
      'it is open to other users of this machine, and not for this service alone',
      'Name a folder of its own with --data or SERVICE_DATA_DIR, or take the rights of others away yourself.',
    );
}

/** Whether a folder is open to others for more than this service, which would close it to them. Windows has no such modes. */
function isShared(folder: string): boolean {
  const { mode } = statSync(folder);
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return false;
  const names = readdirSync(folder);
  return (mode & STICKY) !== 0 || (names.length > 0 && !names.some((name) => OWN.test(name)));
}

/**
 * Makes the data folder, or takes it and the files of the embedded database in it away from other users of the machine,
 * whatever existed before. Says in the log what it changed. Windows has no such modes.
 */
export function openPrivateFolder(folder: string, log: Log): void {
  makeDataFolder(folder);
  if (process.platform === 'win32') return;
  makePrivate(folder, 0o700, log);
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()))
    if (name.startsWith('service.db')) makePrivate(join(folder, name), 0o600, log);
}

function makePrivate(path: string, mode: number, log: Log): void {
  const found = statSync(path, { throwIfNoEntry: false }); // a file of a write-ahead log may go meanwhile
  if (!found || (found.mode & OTHERS) === 0) return;
  const about = { path, was: octal(found.mode), now: octal(mode) };
  try {
    chmodSync(path, mode);
    log.warn(about, 'other users of this machine could open this; it is private now');
  } catch (err) {
    log.warn({ ...about, err }, 'other users of this machine can open this: take their rights away');
  }
}

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
