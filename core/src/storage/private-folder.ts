import { accessSync, chmodSync, constants, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../boot/boot-error.js';
import type { Log } from '../log.js';
import { makeFolder } from '../wire/make-folder.js';
import { diskRemedy, systemReason } from '../wire/system-error.js';

const OTHERS = 0o077;

/**
 * Makes the data folder, for its user alone, and what is missing above it. Throws BootError where that is impossible, or
 * where it cannot be read and written.
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
