import { randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';

/**
 * Writes a file in one step, over a temporary one beside it: a failure or a crash leaves the old file or the new one,
 * never half of one. Resolves to the result of `write`.
 */
export async function replaceFile<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
  mode?: number,
): Promise<T> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', mode);
  try {
    const result = await write(file);
    await file.sync();
    await file.close();
    await rename(draft, path);
    return result;
  } catch (thrown) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw thrown;
  }
}

export function replaceJsonFile(path: string, value: object, mode?: number): Promise<void> {
  return replaceFile(path, (file) => file.writeFile(`${JSON.stringify(value, null, 2)}\n`), mode);
}
