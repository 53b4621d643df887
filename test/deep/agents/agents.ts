import { join } from 'node:path';
import type { Agent, Connected } from './agent.js';

const claude: Agent = {
  id: 'claude',
  program: ['@anthropic-ai', 'claude-code', 'bin', 'claude.exe'],
  quiet: () =>
    Promise.resolve({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
  add: (name, url, header, value) =>
    `claude mcp add --transport http --scope user ${name} ${url} --header "${header}: ${value}"`,
  connect: async (run) => listed(await run('claude mcp list'), /^([\w-]+): .* - (.+)$/gm, '✔ Connected'),
  login: (run, name) => run(`claude mcp login ${name}`, { terminal: true }),
};

/** Its command for adding takes no header, and its list connects to nothing: its server for editors does. */
const codex: Agent = {
  id: 'codex',
  program: ['@openai', 'codex', 'bin', 'codex.js'],
  quiet: () => Promise.resolve({}),
  add: (name, url, header, value) =>
    `codex mcp add ${name} -- env SERVICE_API_URL=${new URL(url).origin} SERVICE_API_KEY=${value} service-mcp stdio`,
  async connect(run) {
    const client = { clientInfo: { name: 'tests', title: null, version: '1' } };
    const messages = [
      { id: 1, method: 'initialize', params: client },
      { method: 'initialized' },
      { id: 2, method: 'mcpServerStatus/list', params: { detail: 'toolsAndAuthOnly' } },
    ];
    const said = await run(
      'codex -c analytics.enabled=false -c check_for_update_on_startup=false app-server',
      {
        type: (said) =>
          said === '' ? messages.map((message) => `${JSON.stringify(message)}\n`).join('') : '',
        until: /"id":2,.*\n/,
      },
    );
    const answer = said.split('\n').find((line) => line.startsWith('{"id":2,'));
    const { result } = JSON.parse(answer ?? '') as { result: { data: readonly Status[] } };
    return Object.fromEntries(result.data.map(({ name, tools }) => [name, Object.keys(tools).length > 0]));
  },
  login: (run, name) => run(`codex mcp login ${name}`),
};
interface Status {
  readonly name: string;
  readonly tools: Readonly<Record<string, unknown>>;
}

/** It connects to nothing from a folder that nobody trusts. Only its own screen logs in (`/mcp auth`), which is not driven here. */
const gemini: Agent = {
  id: 'gemini',
  program: ['@google', 'gemini-cli', 'bundle', 'gemini.js'],
  async quiet(home) {
    const file = 'gemini-of-the-machine.json';
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      ide: { hasSeenNudge: true },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: 'gemini-api-key' } },
    };
    await home.write(file, JSON.stringify(settings));
    return {
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, file),
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    };
  },
  add: (name, url, header, value) =>
    `gemini mcp add --transport http --scope user --header "${header}: ${value}" ${name} ${url}`,
  connect: async (run) => listed(await run('gemini mcp list 2>&1'), /^. ([\w-]+): .* - (.+)$/gm, 'Connected'),
};

const opencode: Agent = {
  id: 'opencode',
  program: ['opencode-ai', 'bin', 'opencode.exe'],
  quiet: () =>
    Promise.resolve({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
  add: (name, url, header, value) => `opencode mcp add ${name} --url ${url} --header "${header}=${value}"`,
  connect: async (run) => listed(await run('opencode mcp list'), /^●\s+. ([\w-]+) (.+)$/gm, 'connected'),
  login: (run, name) => run(`opencode mcp auth ${name}`),
};

/** The servers of a list: `line` matches a name and what the agent says of it. */
function listed(list: string, line: RegExp, good: string): Connected {
  return Object.fromEntries(
    [...list.matchAll(line)].map(([, name = '', said = '']) => [name, said.trim() === good]),
  );
}

export const AGENTS: readonly Agent[] = [claude, codex, gemini, opencode];
