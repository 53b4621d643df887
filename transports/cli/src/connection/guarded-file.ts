import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Failure, systemCode } from '../failure.js';

/** Far more than a person's keys need. */
const MOST_BYTES = 1024 * 1024;

export interface GuardedText {
  readonly text: string;
  /** May other users of this machine read it? */
  readonly readableByOthers: boolean;
}

/**
 * Reads a file that may hold keys. Undefined where there is none. Throws a Failure for what is no file, is too large,
 * belongs to another user or may be changed by one: its keys could be theirs. A symbolic link is judged by its target.
 */
export async function readGuarded(path: string): Promise<GuardedText | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe must not make it wait
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Failure(`${path} cannot be read (${code ?? 'unknown error'}).`, {
      next: 'Mend its permissions, or delete it.',
      cause: thrown,
    });
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw unfit(path, 'is no file', 'Move it away.');
    if (stats.size > MOST_BYTES) throw unfit(path, 'is too large to hold keys', 'Move it away.');
    const own = process.getuid?.();
    if (own !== undefined) {
      if (stats.uid !== own && stats.uid !== 0)
        throw unfit(path, 'belongs to another user of this machine', 'Move it away.');
      if ((stats.mode & 0o022) !== 0)
        throw unfit(path, 'may be changed by other users of this machine', `Run: chmod 600 ${path}`);
    }
    const text = await file.readFile('utf8');
    return { text, readableByOthers: own !== undefined && (stats.mode & 0o044) !== 0 };
  } finally {
    await file.close();
  }
}

function unfit(path: string, fault: string, next: string): Failure {
  return new Failure(`${path} ${fault}, so that no key is taken from it.`, { next });
}

/** A JSON object; undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
