import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { BINARY } from './deployment.js';
import { quoted } from './terminal/format.js';

/**
 * The words that run this very program in the folder where they are printed: `service-mcp` where the PATH leads here,
 * `npx service-mcp` where npm finds this one (elsewhere npx would run whatever somebody publishes under that name), else
 * the launcher by its path.
 */
export function commandName(): string {
  const byNpm = ['npm_execpath', 'npm_lifecycle_event', 'npm_command'].some((name) => process.env[name]);
  // npm adds its own folders of binaries for what it starts: other terminals have not got them.
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !(byNpm && /node_modules[\\/]\.bin$/.test(folder)));
  const first = folders.map(launcherIn).find((path) => path !== undefined);
  if (first === BINARY_PATH) return 'service-mcp';
  for (let at = process.cwd(); ; at = dirname(at)) {
    const found = launcherIn(join(at, 'node_modules', '.bin'));
    if (found === BINARY_PATH) return 'npx service-mcp';
    if (found !== undefined || dirname(at) === at) break;
  }
  return `node ${quoted(BINARY)}`;
}

const BINARY_PATH = realPath(BINARY);

function launcherIn(folder: string): string | undefined {
  return realPath(join(folder, 'service-mcp'));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
