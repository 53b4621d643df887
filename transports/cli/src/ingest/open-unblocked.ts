import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Windows has neither flag, and no pipes in folders. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/**
 * Opens a file for reading without waiting for somebody to write, as the opening of a named pipe does, which holds up a
 * thread of the process for good. Throws ELOOP for a symbolic link, unless links are followed.
 */
export function openUnblocked(
  path: string,
  { followLinks = false }: { readonly followLinks?: boolean } = {},
): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW));
}

/** The text of a file of rules; empty where nothing has its name, or something that is not a file. */
export async function readRules(path: string): Promise<string> {
  const file = await openUnblocked(path, { followLinks: true }).catch(() => undefined);
  if (!file) return '';
  try {
    return (await file.stat()).isFile() ? await file.readFile('utf8') : '';
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
