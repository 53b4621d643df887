import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from '../wire/home-folder.js';
import { BootError } from './boot-error.js';

/** The path of the data folder: as the command line gives it, else as it is configured, else below the home. */
export function dataFolder(
  given: string | undefined,
  configured: string | undefined,
  env: NodeJS.ProcessEnv,
): string {
  // It would be the current folder, which is then closed to everybody else.
  if (given === '')
    throw new BootError('--data', 'it is empty', 'Name a folder, or leave it out for the default.');
  return resolve(given ?? configured ?? defaultDataDir(env));
}

function defaultDataDir(env: NodeJS.ProcessEnv): string {
  const given = env['XDG_DATA_HOME'];
  // A relative one is ignored (XDG Base Directory Specification): it would name another folder in every folder.
  const data = given && isAbsolute(given) ? given : join(homeFolder(env), '.local', 'share');
  return join(data, 'service-mcp');
}
