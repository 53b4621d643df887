import type { Command } from 'commander';
import type { LoadedDeployment } from '@service-mcp/core/host';
import { addConnectionOptions, type ConnectionOptions } from '../connection/connect.js';
import { load } from '../deployment.js';
import {
  checkDatabase,
  checkDataFolder,
  checkDeployment,
  checkKey,
  checkNode,
  checkParts,
  checkService,
  failure,
  type Finding,
} from '../doctor/checks.js';
import { EXIT } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural } from '../terminal/format.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';

interface DoctorOptions extends ConnectionOptions {
  readonly repair?: boolean;
}

export function addDoctor(program: Command, invocation: Invocation): void {
  const command = program
    .command('doctor')
    .description('check configuration, storage, index and service, and say what to do')
    .option('--repair', 'mend what can be mended: a damaged index is rebuilt from the database');
  addConnectionOptions(command)
    .option('--json', 'print the findings as JSON')
    .action((options: DoctorOptions) => doctor(options, invocation));
}

async function doctor(options: DoctorOptions, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const findings = await examine(options, invocation);
  const given = options.url ?? (process.env['SERVICE_API_URL'] || undefined);
  const service = await checkService(given, signal);
  findings.push(service);
  if (service.status === 'ok') findings.push(...(await checkKey(options, invocation)));
  if (terminal.json)
    terminal.value({ ok: findings.every(({ status }) => status !== 'fail'), checks: findings });
  else print(findings, terminal);
  if (findings.some(({ status }) => status === 'fail')) process.exitCode = EXIT.failed;
}

/** Each check as far as the ones before it allow. */
async function examine(options: DoctorOptions, { terminal, signal }: Invocation): Promise<Finding[]> {
  const findings = [checkNode()];
  let deployment: LoadedDeployment;
  try {
    deployment = await load(options, { SERVICE_LOG_LEVEL: 'silent', ...process.env });
  } catch (thrown) {
    return [...findings, failure('configuration', thrown)];
  }
  findings.push(checkDeployment(deployment), await checkDataFolder(deployment.dataDir));
  if (findings.at(-1)?.status === 'fail') return findings;
  const database = await checkDatabase(deployment);
  findings.push(...database);
  if (database.some(({ status }) => status === 'fail')) return findings;
  const { start } = await import('@service-mcp/core/host');
  try {
    const host = await start(deployment, { listen: false, workers: false });
    try {
      if (options.repair)
        await host.repair((line) => terminal.say(terminal.shade('dim', `repair: ${line}`)), signal);
      findings.push(...(await checkParts(host)));
    } finally {
      await host.stop();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    findings.push(failure('start', thrown));
  }
  return findings;
}

function print(findings: readonly Finding[], terminal: Terminal): void {
  const { paint } = terminal;
  const marks = { ok: paint('green', '✓ ok'), warn: paint('yellow', '! warn'), fail: paint('red', '✗ fail') };
  const rows = findings.flatMap(({ name, status, message, remedy }) => [
    [marks[status], name, message],
    ...(remedy === undefined ? [] : [['', '', paint('cyan', `→ ${remedy}`)]]),
  ]);
  table(rows, terminal.columns).forEach((line) => terminal.out(line));
  const tally = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  terminal.out();
  if (tally('fail') > 0) terminal.out(`${plural(tally('fail'), 'check')} failed.`);
  else if (tally('warn') > 0) terminal.out(`It works; ${plural(tally('warn'), 'thing')} to look at.`);
  else terminal.out('All is well.');
}
