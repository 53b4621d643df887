import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders looked at in one call: the rest waits for the next. */
const MAX_LOOKED_AT = 20_000;

/**
 * Removes the empty folders of former indexes of a table, which LanceDB 0.31.0 leaves behind: it removes the files of an
 * old version, not their folder, and looks into each at every later maintenance. Where a folder was changed after
 * `before`, an index may be about to be written.
 */
export async function removeEmptyFolders(table: string, before: Date): Promise<void> {
  const parent = join(table, '_indices');
  const names = await readdir(parent).catch(() => []); // a table without indexes has none
  for (const name of names.slice(0, MAX_LOOKED_AT)) {
    const folder = join(parent, name);
    const { mtime } = await stat(folder).catch(() => ({ mtime: before }));
    if (mtime < before) await rmdir(folder).catch(() => undefined); // not empty: in use
  }
}
