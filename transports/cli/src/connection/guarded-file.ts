import { systemCode } from '@service-mcp/core/wire';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Failure, fileFailure } from '../failure.js';

/** Far more than a person's keys need. */
const MAX_BYTES = 1024 * 1024;

export interface GuardedText {
  readonly text: string;
  /** Whether other users of this machine may read it. */
  readonly readableByOthers: boolean;
}

/**
 * Reads a file that may hold keys; undefined where there is none. Throws a Failure for one that is not a regular file,
 * is too large, belongs to another user or is writable by others: its keys could be theirs. A symbolic link is judged
 * by its target. A byte order mark is not part of the text.
 */
export async function readGuarded(path: string): Promise<GuardedText | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe must not block the command
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(thrown) ?? '')) return undefined;
    throw fileFailure(path, 'read', 'Fix its permissions, or delete it.', thrown);
  }
  const refuse = (fault: string, next = 'Move it away.') =>
    new Failure(`${path} ${fault}, so no key is taken from it.`, { next });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw refuse('is not a regular file');
    if (stats.size > MAX_BYTES) throw refuse('is too large to hold keys');
    const own = process.getuid?.();
    if (own !== undefined) {
      if (stats.uid !== own && stats.uid !== 0) throw refuse('belongs to another user of this machine');
      if ((stats.mode & 0o022) !== 0)
        throw refuse('can be changed by other users of this machine', `Run: chmod 600 ${path}`);
    }
    const text = (await file.readFile('utf8')).replace(/^\ufeff/, '');
    return { text, readableByOthers: own !== undefined && (stats.mode & 0o044) !== 0 };
  } finally {
    await file.close();
  }
}
