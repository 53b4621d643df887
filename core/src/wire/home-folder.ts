import { homedir } from 'node:os';

/** The home folder of this user; the root, as in containers, for a user whom the system does not know and HOME does not give one. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  if (env['HOME']) return env['HOME'];
  try {
    return homedir();
  } catch {
    return '/';
  }
}
