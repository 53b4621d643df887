import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, readdir, readlink, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { systemCode } from '@service-mcp/core/wire';

/**
 * Writes a file in one step, over a temporary one beside it: a failure or a crash leaves the old file or the new one,
 * never half of one. Removes temporary ones of killed processes. Resolves to the result of `write`.
 */
export async function replaceFile<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
  mode?: number,
): Promise<T> {
  await removeLeftDrafts(path);
  const draft = `${path}.${MACHINE}-${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', mode);
  // A second Ctrl-C ends the process at once.
  const onExit = () => rmSync(draft, { force: true });
  process.once('exit', onExit);
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
  } finally {
    process.off('exit', onExit);
  }
}

/** The same for a file that a person names: a link to it stays, and a pipe or a device is written and not replaced. */
export async function writeOut<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
  mode?: number,
): Promise<T> {
  const target = await targetOf(path);
  const found = await stat(target).catch(() => undefined);
  if (!found || found.isFile()) return replaceFile(target, write, mode);
  await using file = await open(target, 'w');
  return await write(file);
}

/** The file behind a link, also where it is not there yet. */
export async function targetOf(file: string): Promise<string> {
  const link = await readlink(file).catch(() => undefined);
  return realpath(file).catch(() => (link === undefined ? file : resolve(dirname(file), link)));
}

export function replaceJsonFile(path: string, value: object, mode?: number): Promise<void> {
  return replaceFile(path, (file) => file.writeFile(`${JSON.stringify(value, null, 2)}\n`), mode);
}

/** Names this machine, or container, in a folder that others may share: only here does the id of a process tell. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const DRAFT = /^([\da-f]{8})-(\d{1,10})-[\da-f]{8}\.tmp$/;

/** Removes the drafts of a file whose process on this machine has ended: it was killed. What cannot be removed stays. */
async function removeLeftDrafts(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(start))) {
    const [, machine, pid] = DRAFT.exec(name.slice(start.length)) ?? [];
    if (machine === MACHINE && hasEnded(Number(pid)))
      await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
  }
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0); // sends nothing
    return false;
  } catch (thrown) {
    return systemCode(thrown) === 'ESRCH'; // EPERM: it runs, as somebody else
  }
}
