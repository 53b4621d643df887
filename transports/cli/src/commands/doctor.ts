import { systemCode } from '@service-mcp/core/wire';
import type { Command } from 'commander';
import type { LoadedDeployment } from '@service-mcp/core/host';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { checkedUrl, chosenUrl, DEFAULT_URL, givenUrl } from '../connection/address.js';
import { addConnectionOptions, credentialFor, type ConnectionOptions } from '../connection/connect.js';
import { httpConnection, readiness, serviceFault } from '../connection/http.js';
import { deploymentFlags, isLocal, load, logging } from '../deployment.js';
import { lostDatabase, noDatabase, pendingNote } from '../open-here.js';
import { EXIT, Failure, fromLines } from '../failure.js';
import { commandName } from '../command-name.js';
import type { Invocation } from '../invocation.js';
import { plural, printable, printableLines } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

/** One line of `doctor`. The service works with a `warn`, and not with a `fail`. */
export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy?: string;
}

/** The findings for the states of the plugins' own parts, the index among them. */
const STATUSES = { ok: 'ok', degraded: 'warn', failed: 'fail' } as const;

interface DoctorOptions extends ConnectionOptions {
  readonly repair?: boolean;
}

export function addDoctor(program: Command, invocation: Invocation): void {
  const command = program
    .command('doctor')
    .description('check configuration, storage, index and service, and say what to fix; changes nothing')
    .option('--repair', 'migrate the database, and rebuild damaged indexes from it');
  addConnectionOptions(command)
    .option('--json', 'print the findings as JSON')
    .addHelpText(
      'after',
      '\nWithout --url it checks the service that was started last on this database, or else the host and port of the' +
        ' deployment.',
    )
    .action((options: DoctorOptions) => doctor(options, invocation));
}

async function doctor(options: DoctorOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const deployment = await load(options, logging('silent')).catch((thrown: unknown) =>
    failure('configuration', thrown),
  );
  const isGiven = givenUrl(options) !== undefined;
  const flags = isGiven ? undefined : deploymentFlags(options);
  let url = isGiven || 'status' in deployment ? chosenUrl(options) : ownUrl(deployment);
  let service = await checkService(url, flags, signal);
  // A machine of a client alone has no database, and needs none.
  const absent = service.status === 'ok' && !isLocal(options) ? 'warn' : 'fail';
  const { findings, installation, servedAt = url } = await examine(deployment, options, absent, invocation);
  if (!isGiven && servedAt !== url) {
    url = servedAt;
    service = await checkService(url, flags, signal);
  }
  findings.push(service);
  if (service.status === 'ok') {
    findings.push(
      ...(await checkReadiness(url, installation, signal)),
      ...(await checkKey(url, options, invocation)),
    );
  }
  const failed = hasFailed(findings);
  if (terminal.json) terminal.value({ ok: !failed, checks: findings });
  else print(findings, terminal);
  if (failed) process.exitCode = EXIT.failed;
}

interface Examination {
  readonly findings: Finding[];
  /** Id of the database; undefined where it did not open. */
  readonly installation?: string;
  /** Where the service that was started last over it is bound. */
  readonly servedAt?: string | undefined;
}

/** Runs each check that the earlier ones allow. */
async function examine(
  deployment: LoadedDeployment | Finding,
  options: DoctorOptions,
  absent: 'warn' | 'fail',
  { terminal, signal }: Invocation,
): Promise<Examination> {
  // The launcher refuses other versions: this shows which one runs.
  const findings: Finding[] = [{ name: 'Node.js', status: 'ok', message: process.versions.node }];
  if ('status' in deployment) return { findings: [...findings, deployment] };
  const ids = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id).join(', ');
  const message = `plugins ${ids(deployment.plugins)}; transports ${ids(deployment.transports)}`;
  for (const { fault, remedy } of deployment.strayVariables)
    findings.push({ name: 'environment', status: 'warn', message: fault, remedy });
  findings.push({ name: 'configuration', status: 'ok', message });
  const missing = await findMissing(deployment, options, absent);
  if (missing) return { findings: [...findings, missing] };
  findings.push(await checkDataFolder(deployment.dataDir));
  if (hasFailed(findings)) return { findings };
  findings.push(...(await checkDatabase(deployment, options)));
  const isPending = findings.some(({ name, status }) => name === 'migrations' && status === 'warn');
  if (hasFailed(findings) || isPending) return { findings }; // a start would migrate
  const { outageRemedy, start } = await import('@service-mcp/core/host');
  try {
    const host = await start(deployment, { listen: false, workers: false, isService: false });
    try {
      if (options.repair) await host.repair((line) => terminal.note(`repair: ${line}`), signal);
      const states = await host.health();
      findings.push(
        ...states.map((state) => atDeployment({ ...state, status: STATUSES[state.status] }, options)),
      );
      return { findings, installation: host.installation, servedAt: host.servedAt };
    } finally {
      await host.stop();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    return { findings: [...findings, failure('start', thrown, outageRemedy(thrown))] };
  }
}

/** A finding whose command leads to the deployment that was examined. */
function atDeployment({ remedy, ...finding }: Finding, options: DoctorOptions): Finding {
  if (remedy === undefined) return finding;
  const command = `${commandName()} doctor${deploymentFlags(options)} --repair`;
  return { ...finding, remedy: remedy.replaceAll('service-mcp doctor --repair', () => command) };
}

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'fail');
}

function print(findings: readonly Finding[], { paint, out, table }: Terminal): void {
  const marks = { ok: paint('green', '✓ ok'), warn: paint('yellow', '! warn'), fail: paint('red', '✗ fail') };
  table(
    findings.flatMap(({ name, status, message, remedy }) => [
      [marks[status], printable(name), printableLines(message)],
      ...(remedy === undefined ? [] : [['', '', paint('cyan', `→ ${printableLines(remedy)}`)]]),
    ]),
  );
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  out();
  if (count('fail') > 0) out(`${plural(count('fail'), 'check')} failed.`);
  else if (count('warn') > 0) out(`It works; ${plural(count('warn'), 'thing')} to look at.`);
  else out('All is well.');
}

/**
 * The finding for a data folder or embedded database that does not exist, or is not that of the deployment. Neither is
 * created: an empty one at a mistyped path, or beside the indexes of a lost one, would look well.
 */
async function findMissing(
  deployment: LoadedDeployment,
  options: DoctorOptions,
  absent: 'warn' | 'fail',
): Promise<Finding | undefined> {
  const lost = await lostDatabase(deployment);
  if (lost) return fromFailure('database', 'fail', lost);
  const { databaseOptions } = await import('@service-mcp/core/host');
  const { url, file } = databaseOptions(deployment);
  const { dataDir } = deployment;
  let exists = true;
  try {
    await readdir(dataDir);
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') return undefined; // checkDataFolder reports it
    exists = false;
  }
  // With PostgreSQL the folder holds what a repair builds again: after a restore it is a new one.
  if (url === undefined ? existsSync(file) : exists || options.repair) return undefined;
  if (url === undefined) return fromFailure('database', absent, await noDatabase(deployment, options));
  const remedy =
    'Name that of the service with --data or SERVICE_DATA_DIR, or start the service, which makes it.';
  return { name: 'data folder', status: absent, message: `${dataDir} does not exist`, remedy };
}

/** The data folder is a folder, readable and writable. */
async function checkDataFolder(folder: string): Promise<Finding> {
  const name = 'data folder';
  const { makeDataFolder } = await import('@service-mcp/core/host');
  try {
    makeDataFolder(folder);
    return { name, status: 'ok', message: folder };
  } catch (thrown) {
    return failure(name, thrown);
  }
}

/**
 * Connects to the database, reads it for damage and compares its schema. Only a repair brings it up to date: an earlier
 * version may be running over it.
 */
async function checkDatabase(
  deployment: LoadedDeployment,
  options: DoctorOptions,
): Promise<readonly Finding[]> {
  const core = await import('@service-mcp/core/host');
  const { checkDeployment, databaseOptions, formerPlugins, hasDatabase, outageRemedy } = core;
  const { url, file } = databaseOptions(deployment);
  const engine = url === undefined ? 'embedded' : 'PostgreSQL';
  const name = 'database';
  try {
    const contents = await checkDeployment(deployment);
    if (contents.status === 'failed') return [{ name, ...contents, status: 'fail' }];
    if (!(await hasDatabase(deployment)))
      return [fromFailure(name, 'fail', await noDatabase(deployment, options))];
    return [
      { name, status: 'ok', message: `${engine}${url === undefined ? ` (${file})` : ''}, answers` },
      await checkMigrations(deployment, options),
      { name: 'database contents', ...contents, status: STATUSES[contents.status] },
      ...(await formerPlugins(deployment)).map((id) => ({
        name: 'former plugin',
        status: 'ok' as const,
        message: `${id} is not enabled; its tables and rows are kept until it is again, or the operator drops them`,
      })),
    ];
  } catch (thrown) {
    return [failure(name, thrown, outageRemedy(thrown))];
  }
}

async function checkMigrations(deployment: LoadedDeployment, options: DoctorOptions): Promise<Finding> {
  const { migrateDeployment, pendingSteps } = await import('@service-mcp/core/host');
  const name = 'migrations';
  const steps = await (options.repair ? migrateDeployment(deployment) : pendingSteps(deployment));
  if (steps.length === 0) return { name, status: 'ok', message: 'up to date' };
  if (options.repair) return { name, status: 'ok', message: `${plural(steps.length, 'step')} applied now` };
  const { message, remedy } = pendingNote(steps, options);
  return { name, status: 'warn', message: `${message}: what needs them was not checked`, remedy };
}

/** Where this machine reaches the service of a deployment. */
function ownUrl({ config }: LoadedDeployment): string {
  const { host, port } = config.server;
  if (port === 0) return DEFAULT_URL;
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return checkedUrl(`http://${reached.includes(':') ? `[${reached}]` : reached}:${String(port)}`);
}

/**
 * Warns where a service that nobody named is not running, since commands then work in their own process. `flags` start
 * that one; undefined for one that was named.
 */
async function checkService(url: string, flags: string | undefined, signal: AbortSignal): Promise<Finding> {
  const name = 'service';
  const fault = await serviceFault(url, signal);
  if (!fault) return { name, status: 'ok', message: `answers at ${url}` };
  if (flags === undefined) return fromFailure(name, 'fail', fault);
  const message = `does not answer at ${url}`;
  const remedy = `Start it with: ${commandName()} serve${flags} (ingest and search work without it)`;
  return { name, status: 'warn', message, remedy };
}

/**
 * Whether the service runs over the database that was examined, and the state of its child process; nothing where it does
 * not show them, as a gateway.
 */
async function checkReadiness(
  url: string,
  installation: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { checks, installation: served } = await readiness(url, signal);
  const background = checks.flatMap((check) =>
    check.name === 'background work' ? [{ ...check, status: STATUSES[check.status] }] : [],
  );
  if (served === undefined || installation === undefined || served === installation) return background;
  const message = `the service at ${url} runs over another database than the one examined here`;
  const remedy =
    'Name the database of that service with --data, --config or DATABASE_URL, or the service of this one with --url.';
  return [{ name: 'service database', status: 'warn', message, remedy }, ...background];
}

/** Whether the service accepts the key that commands would send. Nothing where there is none and none is needed. */
async function checkKey(
  url: string,
  options: ConnectionOptions,
  { terminal, signal }: Invocation,
): Promise<readonly Finding[]> {
  const name = 'key';
  try {
    const credential = await credentialFor(url, options, terminal);
    await httpConnection(url, credential, signal).tools('light', { repeatable: false }); // it tells what is, at once
    return credential ? [{ name, status: 'ok', message: `that of ${credential.source} is valid` }] : [];
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof Failure) return [fromFailure(name, 'warn', thrown)];
    throw thrown;
  }
}

/** A thrown BootError as a finding: its message already says place and remedy, which other errors need from the caller. */
function failure(name: string, thrown: unknown, remedy?: string): Finding {
  const finding = fromFailure(name, 'fail', fromLines(thrown));
  return remedy === undefined ? finding : { ...finding, remedy };
}

function fromFailure(name: string, status: 'warn' | 'fail', { message, next: remedy }: Failure): Finding {
  return { name, status, message, ...(remedy !== undefined && { remedy }) };
}
