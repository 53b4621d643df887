import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a JSON file in one step: a crash leaves the old file or the new one, never half of one. */
export async function replaceJsonFile(path: string, value: object, mode?: number): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode, flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
}
