import type { Command } from 'commander';
import type { Host } from '@service-mcp/core/host';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import { commandName } from '../command.js';
import { DEFAULT_URL, isThisMachine } from '../connection/address.js';
import { addDeploymentOptions, load, wholeNumber, type DeploymentOptions } from '../deployment.js';
import { prepareEntry, type Entry } from '../first-run.js';
import { aborted } from '../interrupt.js';
import type { Invocation } from '../invocation.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

export function addServe(program: Command, invocation: Invocation): void {
  const command = program
    .command('serve')
    .description('run the service: REST, JSON-RPC and MCP, with indexing inside')
    .option('--host <address>', 'address to bind (default: 127.0.0.1)')
    .option('--port <n>', 'port to bind; 0 takes a free one (default: 8080)', wholeNumber(0, 65_535));
  addDeploymentOptions(command)
    .option('--json', 'print the addresses as one JSON object')
    .addHelpText(
      'after',
      '\nEnvironment: SERVICE_DATA_DIR, DATABASE_URL (PostgreSQL instead of the embedded database), LANCEDB_URI,' +
        '\nSERVICE_HOST, SERVICE_PORT, SERVICE_LOG_LEVEL. Options win over it.',
    )
    .action((options: DeploymentOptions) => serve(options, invocation));
}

async function serve(options: DeploymentOptions, { terminal, signal }: Invocation): Promise<void> {
  const { start } = await import('@service-mcp/core/host');
  // On a terminal, the log of a service that is well would only bury the addresses.
  const env = process.stderr.isTTY ? { SERVICE_LOG_LEVEL: 'warn', ...process.env } : process.env;
  const host = await start(await load(options, env));
  try {
    const url = host.url ?? '';
    const local = localAddress(host) ?? url;
    const entry = await prepareEntry(host, local, process.env);
    const another = makeKey(options, local);
    // On one's own machine the local owner is enough.
    const registers = !entry && (await host.firstRun?.isAwaited()) ? registerPage(host) : undefined;
    if (terminal.json)
      terminal.value({
        ...addresses(url, host),
        ...entryValue(entry, another),
        ...(registers !== undefined && { register: registers }),
      });
    else announce(url, host, terminal, { entry, local, another, registers });
    await aborted(signal);
    terminal.say(terminal.shade('dim', 'Stopping. Press Ctrl-C again to stop at once.'));
  } finally {
    await host.stop();
  }
  // Being told to stop is how a service ends: no failure.
  process.exitCode = 0;
}

/** Where the first person makes an account. */
function registerPage(host: Host): string {
  return `${host.deployment.origins().web}/oauth/register`;
}

function addresses(url: string, host: Host): Record<string, string> {
  return {
    url,
    mcp: `${host.deployment.origins().mcp}/mcp`,
    rest: `${url}/v1`,
    docs: `${url}/docs`,
    health: `${url}/health`,
    data: host.deployment.dataDir,
    database: host.database.engine,
    version: host.deployment.version,
  };
}

/** Where commands on this machine reach it, whatever address others use. */
function localAddress(host: Host): string | undefined {
  return host.deployment.loopback && host.address ? `http://127.0.0.1:${host.address.port}` : undefined;
}

/** The command that makes another key for this deployment and keeps it. */
function makeKey({ config, data }: DeploymentOptions, url: string): string {
  const where = [
    ...(url === DEFAULT_URL ? [] : ['--url', url]),
    ...(config === undefined ? [] : ['--config', config]),
    ...(data === undefined ? [] : ['--data', data]),
  ];
  return [commandName(), 'keys create cli --save --replace --account', ...where.map(quoted)].join(' ');
}

function entryValue(entry: Entry | undefined, another: string): Record<string, unknown> {
  if (!entry) return {};
  const { credentials = null, first, stale } = entry;
  return {
    credentials,
    ...(credentials === null && { make_key: another }),
    ...(stale !== undefined && { stale }),
    ...(first && {
      first_run: {
        email: first.email,
        password_link: first.link,
        ...(first.unkept !== undefined && { unkept: first.unkept }),
      },
    }),
  };
}

/** Addresses, where the data lies, and what to do next: once, when it is ready. */
function announce(
  url: string,
  host: Host,
  terminal: Terminal,
  {
    entry,
    local,
    another,
    registers,
  }: { entry: Entry | undefined; local: string; another: string; registers: string | undefined },
): void {
  const { paint } = terminal;
  const { mcp = '', rest = '', docs = '', health = '', data = '', version = '' } = addresses(url, host);
  const label = (text: string) => paint('dim', `  ${text}`);
  const database = host.database.engine === 'postgresql' ? 'PostgreSQL' : 'embedded database';
  const there = local === DEFAULT_URL ? '' : ` --url ${local}`;
  const heading = (text: string) => `\n${paint('bold', text)}`;
  terminal.out(`${paint('green', '●')} ${paint('bold', 'service-mcp')} ${version} is ready`);
  terminal.out();
  const rows = [
    [label('MCP'), paint('cyan', mcp)],
    [label('REST'), paint('cyan', rest)],
    [label('API page'), paint('cyan', docs)],
    [label('Health'), paint('cyan', health)],
    [label('Data'), `${underHome(data)} ${paint('dim', `(${database})`)}`],
    ...(entry?.credentials === undefined
      ? []
      : [[label('Key'), `${underHome(entry.credentials)} ${paint('dim', '(commands find it there)')}`]]),
  ];
  table(rows).forEach((line) => terminal.out(line));
  if (entry?.first) {
    const { email, link, unkept } = entry.first;
    terminal.out(heading('First run: set a password, to log in from a browser or an MCP client'));
    terminal.out(`  ${paint('cyan', link)}`);
    terminal.out(paint('dim', `  For the account ${email}: good once, within 24 hours.`));
    if (unkept !== undefined) {
      terminal.out();
      terminal.warn(unkept);
    }
  }
  if (registers !== undefined) {
    terminal.out(heading('Nobody has an account yet; whoever registers first becomes the administrator'));
    terminal.out(`  ${paint('cyan', registers)}`);
    terminal.out(paint('dim', `  Or here: ${commandName()} accounts create EMAIL --administrator`));
  }
  if (entry?.stale !== undefined) {
    terminal.out();
    terminal.warn(entry.stale);
  }
  if (entry && entry.credentials === undefined) {
    terminal.out(heading('Commands have no key for this service; make one'));
    terminal.out(`  ${another}`);
  }
  if (!host.deployment.loopback && isThisMachine(url)) {
    terminal.out();
    terminal.warn(
      'Other machines get 421 until SERVICE_BASE_URL (or SERVICE_ALLOWED_HOSTS) names the address that they use.',
    );
  }
  terminal.out(heading('In another terminal'));
  terminal.out(`  ${commandName()} ingest .${there}`);
  terminal.out(`  ${commandName()} search "where are errors handled"${there}`);
  terminal.out(heading('In an MCP client'));
  terminal.out(`  claude mcp add --transport http service-mcp ${mcp}`);
  terminal.out(`  ${JSON.stringify({ mcpServers: { 'service-mcp': { type: 'http', url: mcp } } })}`);
  terminal.out();
  terminal.out(paint('dim', 'Ctrl-C stops it.'));
}

/** An argument as a shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function underHome(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
