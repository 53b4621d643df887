import { homeFolder } from '@service-mcp/core/wire';
import { join } from 'node:path';
import { configHome } from '../connection/kept-keys.js';
import type { ClientName } from '@service-mcp/transport-mcp/client-settings';

/** Fields that name the way to a server, of any client: they are replaced together. */
export const ACCESS_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'source',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'oauth',
  'auth',
  'http_headers',
  'env_http_headers',
  'bearer_token_env_var',
  'command',
  'args',
  'env',
  'environment',
]);

const home = (env: NodeJS.ProcessEnv, ...names: readonly string[]) => join(homeFolder(env), ...names);

/** The folder of an application's settings: that of the system. */
function applicationFolder(env: NodeJS.ProcessEnv, name: string): string {
  if (process.platform === 'win32') return join(env['APPDATA'] ?? home(env, 'AppData', 'Roaming'), name);
  if (process.platform === 'darwin') return home(env, 'Library', 'Application Support', name);
  return join(configHome(env), name);
}

/** The settings of each client for every project of the person: the first file that exists counts, else the first. Absolute. */
export const SETTINGS_FILES: Readonly<Record<ClientName, (env: NodeJS.ProcessEnv) => readonly string[]>> = {
  claude: (env) => [
    env['CLAUDE_CONFIG_DIR'] ? join(env['CLAUDE_CONFIG_DIR'], '.claude.json') : home(env, '.claude.json'),
  ],
  cursor: (env) => [home(env, '.cursor', 'mcp.json')],
  vscode: (env) => [join(applicationFolder(env, 'Code'), 'User', 'mcp.json')],
  codex: (env) => [join(env['CODEX_HOME'] || home(env, '.codex'), 'config.toml')],
  gemini: (env) => [home(env, '.gemini', 'settings.json')],
  opencode: (env) =>
    ['opencode.json', 'opencode.jsonc'].map((name) => join(configHome(env), 'opencode', name)),
  zed: (env) => [
    process.platform === 'win32'
      ? join(applicationFolder(env, 'Zed'), 'settings.json')
      : join(process.platform === 'darwin' ? home(env, '.config') : configHome(env), 'zed', 'settings.json'),
  ],
};
