import { statSync } from 'node:fs';

/** Which file a path leads to; undefined where there is none. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/**
 * A database whose file was deleted, moved or replaced, by the code that SQLite has for it: with a write-ahead log SQLite
 * takes writes to such a file, and they are lost when the last process that has it open ends.
 */
export function fileGone(file: string): Error {
  return Object.assign(new Error(`${file} was deleted, moved or replaced`), {
    code: 'SQLITE_READONLY_DBMOVED',
  });
}
