import { makeFolder, systemCode } from '@service-mcp/core/wire';
import { constants } from 'node:fs';
import { chmod, copyFile, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskRemedyOr, Failure, fileFailure } from '../failure.js';
import { replaceFile, targetOf } from '../replace-file.js';

/** The text of a file of settings; empty where there is none. Throws a Failure. */
export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return '';
    throw fileFailure(file, 'read', 'Fix its permissions, or print the entry with --print.', thrown);
  });
}

/**
 * Replaces a file of settings in one step, and keeps what was there beside it; resolves to the path of that copy. A link
 * stays a link, the mode stays; a file that gets a secret is closed to other users, one that nobody may write stays as it
 * is. Throws a Failure.
 */
export async function writeSettings(
  file: string,
  text: string,
  options: { readonly secret: boolean; readonly now: Date },
): Promise<string | undefined> {
  try {
    makeFolder(dirname(file));
    const target = await targetOf(file);
    const found = await stat(target).catch(() => undefined);
    if (found && (found.mode & 0o222) === 0) throw readOnly(target);
    const copy = found && `${target}.${options.now.toISOString().replaceAll(/[-:.]/g, '')}.backup`;
    if (copy !== undefined) {
      await copyFile(target, copy, constants.COPYFILE_EXCL);
      await chmod(copy, 0o600);
    }
    const mode = found ? found.mode & (options.secret ? 0o700 : 0o777) : 0o600;
    await replaceFile(target, (draft) => draft.writeFile(text), mode);
    return copy;
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    const remedy = diskRemedyOr(thrown, 'Fix the permissions of its folder');
    const next = `${remedy}, or print the entry with --print and put it there yourself.`;
    throw fileFailure(file, 'written', next, thrown);
  }
}

function readOnly(file: string): Failure {
  return new Failure(`${file} is read-only: another program may be the one that writes it.`, {
    next: 'Make it writable, or print the entry with --print and put it where that file comes from.',
  });
}
