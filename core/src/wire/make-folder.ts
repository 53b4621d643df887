import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with `mode`, and what is missing above it. Throws the system's error. One folder at a time: where the
 * parent exists and the system makes no folders in it (/proc), mkdir's own recursion never ends, and on a read-only file
 * system it says that there is no such folder.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (!found && dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
