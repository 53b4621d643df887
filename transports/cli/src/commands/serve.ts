import { claudeCommand } from '@service-mcp/transport-mcp/client-settings';
import { Option, type Command } from 'commander';
import type { Host } from '@service-mcp/core/host';
import { homeFolder } from '@service-mcp/core/wire';
import { sep } from 'node:path';
import { isThisMachine, urlFlag } from '../connection/address.js';
import {
  addDeploymentOptions,
  deploymentFlags,
  load,
  serverEnv,
  wholeNumber,
  type DeploymentOptions,
} from '../deployment.js';
import { prepareEntry, type Entry } from '../first-run.js';
import { commandName } from '../command-name.js';
import { parentGone, serveUntilStopped, type Invocation } from '../invocation.js';
import { refuseLostDatabase } from '../open-here.js';
import type { ServiceReport } from '../serve/watched-service.js';
import type { Terminal } from '../terminal/terminal.js';
import { workerOf } from './worker.js';

/** What a stop waits for: calls in progress, and the next request of a busy client. */
const DRAIN = { graceMs: 4_000, quietMs: 500 };

interface ServeOptions extends DeploymentOptions {
  readonly watch?: true;
  /** Set by the process that restarts this one. */
  readonly watched?: true;
}

export function addServe(program: Command, invocation: Invocation): void {
  const command = program
    .command('serve')
    .description('run the service: REST, JSON-RPC and MCP, and indexing in the background')
    .option('--host <address>', 'address to bind (default: 127.0.0.1)')
    .option('--port <n>', 'port to bind; 0 takes a free one (default: 8080)', wholeNumber(0, 65_535));
  addDeploymentOptions(command)
    .option('--watch', 'for plugin authors: restart when a built plugin or the deployment file changes')
    .addOption(new Option('--watched').hideHelp())
    .option('--json', 'print the addresses as one JSON object')
    .addHelpText(
      'after',
      '\nEnvironment: SERVICE_DATA_DIR, DATABASE_URL (PostgreSQL instead of the embedded database), LANCEDB_URI,' +
        '\nSERVICE_HOST, SERVICE_PORT, SERVICE_LOG_LEVEL, SERVICE_WORKERS. Options win over it.',
    )
    .action(async (options: ServeOptions) => {
      if (!options.watch) return serve(options, invocation);
      const { serveWatched } = await import('../serve/watched-service.js');
      await serveWatched(options, invocation);
    });
}

async function serve(options: ServeOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const tell = (report: ServiceReport) => options.watched && process.send?.(report);
  const ended = options.watched && parentGone();
  process.umask(0o077); // what a service writes is for its own user
  const { start } = await import('@service-mcp/core/host');
  const loaded = await load(options, serverEnv());
  await refuseLostDatabase(loaded);
  tell({ file: loaded.packagesFrom[0] ?? '', entries: loaded.entries });
  const host = await start(loaded, { spawnWorker: workerOf(options), drain: DRAIN });
  const announced = async () => {
    const url = host.url ?? '';
    const local = localAddress(host) ?? url;
    const entry = await prepareEntry(host, local, process.env);
    // On one's own machine the local owner is the first account.
    const setup = entry ? undefined : await host.firstRun?.setup();
    const query = setup?.token === undefined ? '' : `?setup_token=${setup.token}`;
    const register = setup && `${host.deployment.origins().web}/oauth/register${query}`;
    const makeKey = makeKeyCommand(options, local);
    const setPassword =
      entry?.unopened && `${commandName()} accounts reset ${entry.unopened}${deploymentFlags(options)}`;
    const makeAccount = `${commandName()} accounts create EMAIL --administrator${deploymentFlags(options)}`;
    if (terminal.json) terminal.value({ ...addresses(url, host), ...entryValue(entry, makeKey), register });
    else {
      const dashboard = loaded.transports.some(({ id }) => id === 'web') ? `${url}/app/` : undefined;
      announce(url, host, terminal, { dashboard, entry, local, makeAccount, makeKey, setPassword, register });
    }
    if (host.address) tell({ url, port: host.address.port });
  };
  await serveUntilStopped(host, invocation, announced, ended);
}

function addresses(url: string, host: Host) {
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

/** The address for commands on this machine, whatever address others use. */
function localAddress(host: Host): string | undefined {
  const { address, deployment } = host;
  if (!deployment.loopback || !address) return undefined;
  return `http://${address.host === '::1' ? '[::1]' : '127.0.0.1'}:${address.port}`;
}

/** The command that makes another key for this deployment and keeps it. */
function makeKeyCommand(options: DeploymentOptions, url: string): string {
  return `${commandName()} keys create cli --save --replace --account${urlFlag(url)}${deploymentFlags(options)}`;
}

function entryValue(entry: Entry | undefined, makeKey: string): object {
  if (!entry) return {};
  const { credentials = null, first, stale } = entry;
  return {
    credentials,
    make_key: credentials === null ? makeKey : undefined,
    stale,
    first_run: first && { email: first.email, password_link: first.link, unkept: first.unkept },
  };
}

/** Prints the addresses, the data folder and the next steps, when the service is ready. */
function announce(
  url: string,
  host: Host,
  terminal: Terminal,
  facts: {
    dashboard: string | undefined;
    entry: Entry | undefined;
    local: string;
    makeAccount: string;
    makeKey: string;
    setPassword: string | undefined;
    register: string | undefined;
  },
): void {
  const { out, paint, warn } = terminal;
  const { dashboard, entry, local, makeAccount, makeKey, setPassword, register } = facts;
  const { mcp, rest, docs, health, data, version } = addresses(url, host);
  const label = (text: string) => paint('dim', `  ${text}`);
  const database = host.database.engine === 'postgresql' ? 'PostgreSQL' : 'embedded database';
  const heading = (text: string) => out(`\n${paint('bold', text)}`);
  const warnApart = (text: string) => {
    out();
    warn(text);
  };
  out(`${paint('green', '●')} ${paint('bold', 'service-mcp')} ${version} is ready\n`);
  const rows = [
    ...(dashboard === undefined ? [] : [[label('Dashboard'), paint('cyan', dashboard)]]),
    [label('MCP'), paint('cyan', mcp)],
    [label('REST'), paint('cyan', rest)],
    [label('API page'), paint('cyan', docs)],
    [label('Health'), paint('cyan', health)],
    [label('Data'), `${underHome(data)} ${paint('dim', `(${database})`)}`],
  ];
  if (entry?.credentials !== undefined)
    rows.push([label('Key'), `${underHome(entry.credentials)} ${paint('dim', '(commands find it there)')}`]);
  terminal.table(rows);
  if (entry?.first) {
    const { email, link, unkept } = entry.first;
    heading('First run: set a password, to log in from a browser or an MCP client');
    out(`  ${paint('cyan', link)}`);
    out(paint('dim', `  For the account ${email}: valid once, within 24 hours.`));
    if (unkept !== undefined) warnApart(unkept);
  }
  if (setPassword !== undefined) {
    heading(`${entry?.unopened} has no password yet. To log in from a browser or an MCP client, make a link`);
    out(`  ${setPassword}`);
  }
  if (register !== undefined) {
    heading('Nobody has an account yet. The first one needs the set-up token, and becomes administrator');
    out(`  ${paint('cyan', register)}`);
    const where = register.includes('?')
      ? 'The token is in this address: keep it to yourself'
      : 'The token is that of SERVICE_SETUP_TOKEN';
    out(paint('dim', `  ${where}. Or here: ${makeAccount}`));
  }
  if (entry?.stale !== undefined) warnApart(entry.stale);
  if (entry && entry.credentials === undefined) {
    heading('Commands have no key for this service; make one');
    out(`  ${makeKey}`);
  }
  if (!host.deployment.loopback && isThisMachine(url)) {
    warnApart('Other machines get 421 until SERVICE_BASE_URL names the address that they use.');
  }
  heading('In another terminal');
  out(`  ${commandName()} ingest .${urlFlag(local)}`);
  out(`  ${commandName()} search "where are errors handled"${urlFlag(local)}`);
  heading('In an MCP client');
  out(`  ${claudeCommand(mcp).join(' ')}`);
  out(`  ${JSON.stringify({ mcpServers: { 'service-mcp': { type: 'http', url: mcp } } })}`);
  out(`\n${paint('dim', 'Ctrl-C stops it.')}`);
}

function underHome(path: string): string {
  const home = homeFolder(process.env);
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
