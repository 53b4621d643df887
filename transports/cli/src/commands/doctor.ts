import type { Command } from 'commander';
import type { LoadedDeployment } from '@service-mcp/core/host';
import { addConnectionOptions, type ConnectionOptions } from '../connection/connect.js';
import { load, logging } from '../deployment.js';
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
} from '../doctor/findings.js';
import { EXIT } from '../failure.js';
import type { Invocation } from '../invocation.js';
import { plural } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

interface DoctorOptions extends ConnectionOptions {
  readonly repair?: boolean;
}

export function addDoctor(program: Command, invocation: Invocation): void {
  const command = program
    .command('doctor')
    .description('check configuration, storage, index and service, and say what to do')
    .option('--repair', 'repair what can be repaired: a damaged index is rebuilt from the database');
  addConnectionOptions(command)
    .option('--json', 'print the findings as JSON')
    .action((options: DoctorOptions) => doctor(options, invocation));
}

async function doctor(options: DoctorOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const findings = await examine(options, invocation);
  const service = await checkService(options, invocation.signal);
  findings.push(service);
  if (service.status === 'ok') findings.push(...(await checkKey(options, invocation)));
  const failed = hasFailed(findings);
  if (terminal.json) terminal.value({ ok: !failed, checks: findings });
  else print(findings, terminal);
  if (failed) process.exitCode = EXIT.failed;
}

/** Runs each check that the earlier ones allow. */
async function examine(options: DoctorOptions, { terminal, signal }: Invocation): Promise<Finding[]> {
  const findings = [checkNode()];
  let deployment: LoadedDeployment;
  try {
    deployment = await load(options, logging('silent'));
  } catch (thrown) {
    return [...findings, failure('configuration', thrown)];
  }
  findings.push(checkDeployment(deployment), await checkDataFolder(deployment.dataDir));
  if (hasFailed(findings)) return findings;
  findings.push(...(await checkDatabase(deployment)));
  if (hasFailed(findings)) return findings;
  const { start } = await import('@service-mcp/core/host');
  try {
    const host = await start(deployment, { listen: false, workers: false });
    try {
      if (options.repair) await host.repair((line) => terminal.note(`repair: ${line}`), signal);
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

function hasFailed(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'fail');
}

function print(findings: readonly Finding[], { paint, out, table }: Terminal): void {
  const marks = { ok: paint('green', '✓ ok'), warn: paint('yellow', '! warn'), fail: paint('red', '✗ fail') };
  table(
    findings.flatMap(({ name, status, message, remedy }) => [
      [marks[status], name, message],
      ...(remedy === undefined ? [] : [['', '', paint('cyan', `→ ${remedy}`)]]),
    ]),
  );
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  out();
  if (count('fail') > 0) out(`${plural(count('fail'), 'check')} failed.`);
  else if (count('warn') > 0) out(`It works; ${plural(count('warn'), 'thing')} to look at.`);
  else out('All is well.');
}
